import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readEnv } from '../../server/settings/env.js';
import { BUILT_CLIENT } from '../../server/settings/folders.js';
import { readBuild, textOf } from '../../server/web/page/build.js';
import { withSettings } from '../../server/web/page/changes.js';
import { postLink, unlink } from '../support/link.js';
import {
  begin,
  claimsFor,
  comeBack,
  finish,
  githubAnswers,
  googleAnswers,
  PROVIDER_SETTINGS,
  signInAtGithub,
  standInOptions,
} from '../support/providerSignIn.js';
import { ProviderStandIn } from '../support/providerStandIn.js';
import { PATIENT, type Server, startServer, wrongSettingsIn } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { FROM_PAGE, pkce, Visitor } from '../support/visitor.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  AUTH_SECRET: 'a secret of thirty-two characters or more',
  SHUTDOWN_DELAY_MS: '0',
};
const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = PROVIDER_SETTINGS;
const GOOGLE = { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET };
const GITHUB = { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET };
const WITHOUT = {
  google: { ...GITHUB, GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: ' ' },
  github: { ...GOOGLE, GITHUB_CLIENT_ID: ' \t', GITHUB_CLIENT_SECRET: '' },
};

const provider = new ProviderStandIn();
/** First it has both providers, then GitHub alone, then Google alone: each restart takes more than a second. */
let server: Server;
/** A player of Google. */
let only: Visitor;
/** A sign-in and a link that began at Google. */
let begun: Pick<Awaited<ReturnType<typeof begin>>, 'visitor' | 'asked'>[];
let tagsWithBoth: (string | null)[];
beforeAll(async () => {
  const { preload, env } = standInOptions(await provider.start());
  server = await startServer({ preload, env: { ...PATIENT, ...env, ...PRODUCTION } });
  tagsWithBoth = await tagsOf(server);
  only = await signInAtGoogle();
  const linker = new Visitor(server);
  githubAnswers(provider, { id: 8 });
  await signInAtGithub(server, linker);
  const { location } = (await (await postLink(linker, 'google')).json()) as { location: string };
  begun = [await begin(server, 'google'), { visitor: linker, asked: new URL(location) }];
});
beforeEach(() => githubAnswers(provider));
afterAll(async () => {
  await server.remove();
  await provider.stop();
});

async function signInAtGoogle(visitor = new Visitor(server)): Promise<Visitor> {
  const begun = await begin(server, 'google', visitor);
  googleAnswers(provider, await provider.idToken(claimsFor(begun)));
  await finish(begun, await comeBack(begun, 'google'));
  return visitor;
}

const signIn = {
  google: signInAtGoogle,
  github: async () => {
    const visitor = new Visitor(server);
    await signInAtGithub(server, visitor);
    return visitor;
  },
};

/** Links GitHub to the account as the page does. */
async function linkGithub(visitor: Visitor) {
  const { location } = (await (await postLink(visitor, 'github')).json()) as { location: string };
  const back = await comeBack({ visitor, asked: new URL(location) }, 'github');
  return visitor.graphql('mutation ($code: String!) { confirmLink(code: $code) { __typename } }', {
    code: back.searchParams.get('link'),
  });
}

const identitiesOf = async (visitor: Visitor) => (await visitor.graphql('{ myIdentities { provider } }')).data;

/** Of the page, and of its service worker. */
const tagsOf = ({ origin }: Server) =>
  Promise.all(
    ['/', '/sw.js'].map(async (path) => {
      const answer = await fetch(origin + path, { headers: { 'accept-encoding': 'br' } });
      return answer.headers.get('etag');
    }),
  );

/** Without what differs at each request. */
async function answerOf(response: Response) {
  const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/.test(name));
  return { status: response.status, headers, body: await response.text() };
}

function hasAlone(present: 'google' | 'github', absent: 'google' | 'github'): void {
  test('lets players sign in there, and names it alone to the pages', async () => {
    const visitor = await signIn[present]();
    expect(await identitiesOf(visitor)).toEqual({ myIdentities: [{ provider: present }] });
    for (const path of ['/', '/auth/callback', '/playground/', '/moderation']) {
      const page = await (await fetch(server.origin + path)).text();
      expect(page.match(/<meta name="providers".*?>/g)).toEqual([`<meta name="providers" content="${present}" />`]);
    }
  });

  test('answers at the addresses of the other as at those of an unknown provider', async () => {
    const visitor = await signIn[present]();
    const at = (name: string) => [
      visitor.fetch(`/auth/${name}?${pkce().query}`),
      visitor.fetch(`/auth/${name}`, { headers: { 'sec-fetch-site': 'cross-site' } }),
      visitor.fetch(`/auth/${name}`, { headers: { accept: 'text/html' } }),
      visitor.fetch(`/auth/${name}/callback?code=any&state=any`),
      visitor.fetch(`/auth/${name}/callback`, { headers: { accept: 'text/html' } }),
      visitor.api(`/auth/${name}/link`, { method: 'POST', headers: FROM_PAGE }),
      new Visitor(server).fetch(`/auth/${name}/link`, { method: 'POST' }),
    ];
    const [answers, unknown] = await Promise.all(
      [absent, 'gitlab'].map(async (name) => Promise.all((await Promise.all(at(name))).map(answerOf))),
    );
    expect(unknown!.map(({ status }) => status)).toEqual(Array(7).fill(404));
    expect(answers).toEqual(unknown);
    // An address may have capital letters.
    const begun = await visitor.fetch(`/auth/${present.toUpperCase()}?${pkce().query}`);
    expect(new URL(begun.headers.get('location')!).searchParams.get('redirect_uri')).toMatch(
      `/auth/${present}/callback`,
    );
  });
}

describe('a server in production with GitHub alone', () => {
  beforeAll(() => server.restart(WITHOUT.google));
  hasAlone('github', 'google');

  test('a sign-in and a link that began at Google end at an unknown address', async () => {
    for (const { visitor, asked } of begun) {
      const query = new URLSearchParams({ code: 'any', state: asked.searchParams.get('state')! });
      const answer = await visitor.fetch(`/auth/google/callback?${query.toString()}`);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
    }
  });

  test('a player of Google stays signed in, can be renamed, and links GitHub', async () => {
    expect((await only.refresh()).status).toBe(200);
    expect(await identitiesOf(only)).toEqual({ myIdentities: [] });
    expect((await unlink(only, 'google')).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    const why = ['--operator', 'Grace', '--reason', 'Rude'];
    expect(await ttt(server, 'player', 'rename', only.user!.id, 'Player One', ...why)).toMatchObject({ code: 0 });
    expect((await only.graphql('{ me { name } }')).data).toEqual({ me: { name: 'Player One' } });

    githubAnswers(provider, { id: 9 });
    expect((await linkGithub(only)).data).toEqual({ confirmLink: { __typename: 'IdentityLinked' } });
    expect((await unlink(only, 'github')).errors).toMatchObject([{ extensions: { code: 'LAST_IDENTITY' } }]);
    expect((await signInAtGithub(server)).user.id).toBe(only.user!.id);
    const page = await (await fetch(server.origin)).text();
    expect(page).not.toContain('privacy-policy');
    expect(server.log()).not.toContain('"level":50');
  });
});

describe('a server in production with Google alone', () => {
  const settings = { PRIVACY_URL: `https://example.org/"><script>?a='$&b="&amp;<`, REPORTED_RESULTS: 'reject' };
  beforeAll(() => server.restart({ ...WITHOUT.github, ...settings }));
  hasAlone('google', 'github');

  test('knows the players of Google again, and refuses reported results with a sentence that names the mutations', async () => {
    const player = await signInAtGoogle();
    expect(player.user!.id).toBe(only.user!.id);
    const refused = await player.report();
    const error = expect.stringContaining('startGame and finishGame');
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'reports_rejected', error }]);
  });

  test('has a page with the address of PRIVACY_URL alone, the same on each server, as its service worker is', async () => {
    const page = await (await fetch(server.origin)).text();
    expect(page.match(/<link rel="privacy-policy".*?>/g)).toEqual([
      '<link rel="privacy-policy" href="https://example.org/%22%3E%3Cscript%3E?a=%27$&#38;b=%22&#38;amp;%3C" />',
    ]);
    const others = { DATABASE_URL: server.databaseUrl!, PUBLIC_ORIGIN: server.origin };
    const env = readEnv({ ...PRODUCTION, ...WITHOUT.github, ...settings, ...others });
    const elsewhere = withSettings(readBuild(BUILT_CLIENT), env, ['google']);
    const tags = await tagsOf(server);
    expect(tags).toEqual(['index.html', 'sw.js'].map((name) => elsewhere.get(name)!.forms.at(-1)!.etag));
    expect(tags.map((tag, at) => tag === tagsWithBoth[at])).toEqual([false, false]);
    // A page that is told nothing offers all providers.
    const none = withSettings(readBuild(BUILT_CLIENT), env, []).get('index.html')!;
    expect(textOf(none)).toContain('<meta name="providers" content="" />');
  });
});

describe('the server refuses to start in production', () => {
  const missing = (name: string, pair: object) =>
    `${name} is missing: set ${Object.keys(pair).join(' and ')}, or none of them`;
  const none = expect.stringMatching(/^No provider is set up: /) as unknown as string;
  const noHttps = expect.stringMatching(/^OIDC_ISSUER must be the https address/) as unknown as string;
  const oidc = { OIDC_CLIENT_ID: 'i', OIDC_CLIENT_SECRET: 's', OIDC_ISSUER: 'https://a.example', OIDC_NAME: 'S' };

  test.each<[Record<string, string>, string[]]>([
    [{ ...GOOGLE, ...GITHUB }, []],
    [oidc, []],
    [{ ...oidc, OIDC_ISSUER: 'http://a.example' }, [noHttps]],
    [{}, [none]],
    [{ NODE_ENV: 'development', LOCAL_SIGN_IN: 'off' }, []],
    [{ GOOGLE_CLIENT_ID: ' ', GITHUB_CLIENT_SECRET: '\n' }, [none]],
    [{ GOOGLE_CLIENT_ID }, [missing('GOOGLE_CLIENT_SECRET', GOOGLE)]],
    [{ ...GOOGLE, GITHUB_CLIENT_SECRET }, [missing('GITHUB_CLIENT_ID', GITHUB)]],
    [{ ...GITHUB, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET: ' ' }, [missing('GOOGLE_CLIENT_SECRET', GOOGLE)]],
    [
      { GITHUB_CLIENT_ID, GOOGLE_CLIENT_SECRET },
      [missing('GOOGLE_CLIENT_ID', GOOGLE), missing('GITHUB_CLIENT_SECRET', GITHUB)],
    ],
    // An empty file of a provider that is not set up is no problem.
    [{ ...GITHUB, GOOGLE_CLIENT_SECRET_FILE: '/dev/null' }, []],
    [{ GOOGLE_CLIENT_SECRET_FILE: '/dev/null' }, [none]],
    [
      { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET_FILE: '/dev/null' },
      ['GOOGLE_CLIENT_SECRET_FILE names an empty file: /dev/null', missing('GOOGLE_CLIENT_SECRET', GOOGLE)],
    ],
  ])('with %j it says %j', (settings, problems) => {
    const others = { DATABASE_URL: 'postgresql://127.0.0.1:9/none', PUBLIC_ORIGIN: 'https://play.example.org' };
    expect(wrongSettingsIn({ ...PRODUCTION, ...others, ...settings })).toEqual(problems);
  });

  test.each(['http://example.org/privacy', 'javascript:alert(1)', 'example.org/privacy', 'https://', 'https:privacy'])(
    'with PRIVACY_URL=%s',
    (PRIVACY_URL) => {
      expect(wrongSettingsIn({ PRIVACY_URL })).toEqual([
        'PRIVACY_URL must be an address such as https://example.org/privacy',
      ]);
    },
  );
});
