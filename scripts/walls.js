/**
 * The walls of the architecture as an ESLint rule: who may not import whom, and why. Paths are from the root of the
 * repository, `package:` stands before what comes from node_modules.
 *
 *   client -> game <- server      leaderboard -> stats -> auth,  games -> stats      resolver, controller -> service -> entity
 */
import { posix, relative } from 'node:path';
import { ROOT } from './run.js';

const TEST = /\.test\.tsx?$|^test\/|^client\/testing\//;

/**
 * @typedef {{ from: RegExp, to: RegExp, except?: RegExp, because: string }} Wall
 * @type {Wall[]}
 */
const WALLS = [
  {
    from: /^game\//,
    to: /^(?!game\/)/,
    except: TEST,
    because: 'game/ plays the same game in the page and on the server, so it imports nothing from outside itself.',
  },
  {
    from: /^client\//,
    to: /^server\//,
    because: 'The page knows the server only through schema.graphql and HTTP. What both need belongs in game/.',
  },
  {
    from: /^server\//,
    to: /^client\//,
    because: 'The server does not know the page that uses it. What both need belongs in game/.',
  },
  {
    from: /^server\/auth\//,
    to: /^server\/(games|stats|leaderboard)\//,
    because: 'auth says who somebody is and stands below every feature: leaderboard -> stats -> auth.',
  },
  {
    from: /^server\/stats\//,
    to: /^server\/(games|leaderboard)\//,
    because: 'stats stands below games and leaderboard: they import it, never the other way.',
  },
  {
    from: /^server\/(games|leaderboard)\//,
    to: /^server\/(games|leaderboard)\//,
    because: 'games and leaderboard do not know each other: they meet in stats.',
  },
  {
    from: /^server\/.*\.(resolver|controller)\.ts$/,
    to: /\.entity\.js$|^package:(typeorm|@nestjs\/typeorm)(\/|$)/,
    because: 'A resolver or controller asks a service. Rows stay behind it, so that they never become an answer.',
  },
  {
    from: /\.entity\.ts$/,
    to: /\.type\.js$|^package:@nestjs\/graphql(\/|$)/,
    because: 'An entity is a row and never a GraphQL type: a column must not reach the schema by itself.',
  },
  {
    from: /\.type\.ts$/,
    to: /^package:(typeorm|@nestjs\/typeorm)(\/|$)/,
    because: 'A GraphQL type is never a row: what players see must not follow what is stored.',
  },
  {
    from: /^client\/(auth|account|play|stats|history|leaderboard|playground)\//,
    to: /^client\/(auth|account|play|stats|history|leaderboard|playground)\//,
    // The playground is a page of its own, and this is its App.tsx.
    except: new RegExp(`${TEST.source}|^client/playground/main\\.tsx$`),
    because: "The page's features meet only in App.tsx, which hands each what it needs from the others.",
  },
  {
    from: /^client\/ui\//,
    to: /^client\/(?!ui\/|texts\/)|^package:@apollo\//,
    except: TEST,
    because: 'client/ui draws and knows neither a feature nor GraphQL, so that every feature can use it.',
  },
  {
    from: /^(game|server|client|scripts)\//,
    to: /^test\/|^client\/testing\//,
    except: TEST,
    because: 'What runs in production does not depend on what tests it.',
  },
  {
    from: /^(game|server|client)\//,
    to: /^scripts\//,
    because: 'scripts/ builds and starts the product; the product runs without it.',
  },
];

const VAGUE_FOLDER = /(^|\/)(utils?|common|helpers?|misc|lib)\//;

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'problem', schema: [], messages: { wall: '{{because}}', folder: '{{because}}' } },
  create(context) {
    const file = relative(ROOT, context.filename).replaceAll('\\', '/');
    const walls = WALLS.filter(({ from, except }) => from.test(file) && !except?.test(file));

    /** @param {{ type: string, value?: unknown } | null | undefined} source */
    const check = (source) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const target = source.value.startsWith('.')
        ? posix.join(posix.dirname(file), source.value)
        : `package:${source.value}`;
      const wall = walls.find(({ from, to }) => to.test(target) && feature(file, from) !== feature(target, to));
      if (wall) context.report({ node: source, messageId: 'wall', data: { because: wall.because } });
    };

    return {
      Program(node) {
        if (!VAGUE_FOLDER.test(file)) return;
        const because = 'A folder is named by what it holds: everything fits into utils, common or helpers.';
        context.report({ node, messageId: 'folder', data: { because } });
      },
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
    };
  },
};

/** Where one wall stands between several features, each may still import its own. */
function feature(/** @type {string} */ path, /** @type {RegExp} */ pattern) {
  return pattern.exec(path)?.[1] ?? path;
}

export default { rules: { walls: rule } };
