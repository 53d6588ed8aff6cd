import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { defaultClientConditions, defineConfig, minify, runnerImport } from 'vite';
import type { EnvironmentOptions, Plugin } from 'vite';
import catalogs from './lingui.config.js';
import { precacheManifest } from './scripts/build/precache-manifest.js';
import { smallMessages } from './scripts/build/small-messages.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const serverOrigin = `http://localhost:${process.env.PORT || 3000}`;
/** Vite's dependency optimizer cannot process the worker imports of these modules. */
const notOptimized = ['graphiql/setup-workers/vite', '@graphiql/react/setup-workers/vite'];

/** Chromium then compiles a chunk completely while it arrives, beside the main thread, instead of each function at its first call. */
const COMPILE_ALL = '//# allFunctionsCalledOnLoad';
const COMPILED_AT_ONCE = ['index', 'App'];

/**
 * Inlines firstPaint.js, because fetching it would delay the first paint. It comes after the colours that it uses and before
 * the style sheet, because a script after a style sheet waits for that style sheet.
 */
const firstPaint: Plugin = {
  name: 'first-paint',
  transformIndexHtml: {
    order: 'pre',
    handler: async () => {
      const { code } = await minify('firstPaint.js', readFileSync(at('client/ui/firstPaint.js'), 'utf8'));
      return [{ tag: 'script', children: code, injectTo: 'head' }];
    },
  },
};

/** The page's sentences. The build fails when one is missing in a language. */
const messages = () => [
  lingui({
    macroTransform: { macro: { descriptorFields: 'message' } },
    failOnMissing: true,
    failOnCompileError: true,
  }),
  smallMessages(catalogs.format, at('client/messages/locales/de.po')),
];

/** Inlines firstLanguage.js into the page of the game, with each language's file and its words of the loading screen. */
const firstLanguage: Plugin = {
  name: 'first-language',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { bundle = {}, path }) => {
      if (path !== '/index.html') return html;
      const [screen = ''] = /<main.*<\/main>/.exec(html) ?? [];
      const english = [...screen.matchAll(/>([^<]+)/g)].map(([, text]) => text);
      const languages = catalogs.locales.map(async (locale) => {
        const file = `messages/locales/${locale}.po`;
        const built = Object.values(bundle).find(
          (one) => 'facadeModuleId' in one && one.facadeModuleId === at(`client/${file}`),
        );
        const po = readFileSync(at(`client/${file}`), 'utf8');
        const all = Object.values(await catalogs.format.parse(po, { locale, sourceLocale: 'en', filename: file }));
        const words = english.map((text) => all.find(({ message }) => message === text)?.translation);
        if (words.includes(undefined)) throw new Error(`${locale} has not all words of the loading screen`);
        return [locale, [`/${built?.fileName ?? file}`, ...words]];
      });
      const known = JSON.stringify(Object.fromEntries(await Promise.all(languages)));
      const source = readFileSync(at('client/ui/firstLanguage.js'), 'utf8').replace("'LANGUAGES'", () =>
        JSON.stringify(known),
      );
      const { code } = await minify('firstLanguage.js', source, { module: true });
      // Before the page's code, and before the style sheet, for which a script would wait.
      return html.replace('<script type="module"', () => `<script>{${code}}</script><script type="module"`);
    },
  },
};

/**
 * Draws the loading screen into the built page, with the styles of the login screen, so that the first paint waits for one
 * answer alone. The content security policy allows the style by its hash. In another language, firstLanguage.js replaces its
 * English words.
 */
function firstScreen(): Plugin {
  const english = setupI18n({ locale: 'en-GB', messages: { 'en-GB': {} } });
  let styles = '';
  return {
    name: 'first-screen',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'pre',
      handler: (_, bundle) => {
        // Vite would link to the style sheet, and load it once more with the game.
        const entry = Object.values(bundle).find((file) => 'isEntry' in file && file.isEntry);
        for (const name of entry?.viteMetadata?.importedCss ?? []) {
          const sheet = bundle[name];
          if (sheet?.type === 'asset') styles += sheet.source as string;
          delete bundle[name];
        }
        entry?.viteMetadata?.importedCss.clear();
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { path, bundle }) => {
        if (path !== '/index.html' || !bundle) return html;
        const { module } = await runnerImport<{ LoadingScreen: FunctionComponent }>(
          at('client/auth/LoadingScreen.tsx'),
          { plugins: messages() },
        );
        const screen = renderToStaticMarkup(
          createElement(
            'div',
            { className: 'first-screen' },
            createElement(I18nProvider, { i18n: english }, createElement(module.LoadingScreen)),
          ),
        );
        return html
          .replace('</head>', () => `<style>${styles}</style></head>`)
          .replace('<div id="root">', (root) => root + screen);
      },
    },
  };
}

function anotherPage(name: string): EnvironmentOptions {
  return {
    consumer: 'client',
    optimizeDeps: { exclude: notOptimized },
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      license: { fileName: `${name}/licenses.txt` },
      // Suppress warnings about GraphiQL's large editor and about the directive "use no memo".
      chunkSizeWarningLimit: 5000,
      rolldownOptions: {
        input: at(`client/${name}/index.html`),
        onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
      },
    },
  };
}

export default defineConfig({
  root: at('client'),
  plugins: [messages(), react(), firstPaint, firstScreen(), firstLanguage, precacheManifest(at('dist/client'))],
  // With this condition, RxJS provides ES2015 classes instead of ES5 with helpers.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  // Separate builds: chunks shared with another page would also load its code on the game's page.
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        // For the budgets (scripts/budget.js).
        manifest: true,
        // The licences of the packages are served, and sbom.js reads their names.
        license: { fileName: 'licenses.txt' },
        rolldownOptions: {
          input: at('client/index.html'),
          output: {
            chunkFileNames: ({ facadeModuleId }) =>
              facadeModuleId?.endsWith('.po') ? 'assets/locales/[name]-[hash].js' : 'assets/[name]-[hash].js',
            postBanner: ({ name }) => (COMPILED_AT_ONCE.includes(name) ? COMPILE_ALL : ''),
          },
        },
      },
    },
    // Built after the page, because it lists the page's files, and before the other pages, which it must not list.
    serviceWorker: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        license: { fileName: 'offline/licenses.txt' },
        rolldownOptions: {
          input: at('client/offline/serviceWorker.ts'),
          output: { format: 'iife', entryFileNames: 'sw.js' },
        },
      },
    },
    playground: anotherPage('playground'),
    moderation: anotherPage('moderation'),
    accessibility: anotherPage('accessibility'),
  },
  build: {
    outDir: at('dist/client'),
    target: 'es2023',
    modulePreload: false,
    // The first versions with light-dark(). For older browsers, Vite would transform the style sheet and make it larger.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy allows data: URLs only for images.
    assetsInlineLimit: 0,
  },
  optimizeDeps: { exclude: notOptimized },
  worker: { format: 'es' },
  server: {
    // PUBLIC_ORIGIN contains this port in development (scripts/dev.js).
    port: 5173,
    strictPort: true,
    proxy: {
      // Vite knows the other pages by their paths with a slash alone.
      '^/(playground|moderation|accessibility)(\\?.*)?$': {
        target: serverOrigin,
        bypass: ({ url = '' }: { url?: string }) => url.replace(/(\?|$)/, '/index.html$1'),
      },
      ...Object.fromEntries(
        ['/graphql', '/api', '/auth', '/avatar', '/local', '/.well-known', '/health'].map((path) => [
          path,
          {
            target: serverOrigin,
            ws: path === '/graphql',
            bypass: ({ url = '' }: { url?: string }) => {
              // Vite serves the page at the return address of a sign-in (PAGES in server/web/page/page.ts).
              if (url.startsWith('/auth/callback')) return '/index.html';
              // The client has folders with the same names, and Vite serves their files.
              return /^[^?]+\.(tsx?|css)(\?|$)/.test(url) ? url : undefined;
            },
          },
        ]),
      ),
    },
  },
});
