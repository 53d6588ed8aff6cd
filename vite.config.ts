import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, minify } from 'vite';
import type { Plugin } from 'vite';
import { filesOfThePage } from './scripts/files-of-the-page.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = `http://localhost:${process.env.PORT || 3000}`;
/** They import workers in Vite's own way, which the preparation of packages for development does not understand. */
const asTheyAre = ['graphiql/setup-workers/vite', '@graphiql/react/setup-workers/vite'];

/**
 * A file that had to be fetched would keep the first paint waiting. It stands behind the colours that it chooses from, and
 * before the style sheet, for which every script behind it waits.
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

export default defineConfig({
  root: at('client'),
  plugins: [react(), firstPaint, filesOfThePage(at('dist/client'))],
  // RxJS ships classes under this condition and ES5 with helpers otherwise.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  // One build after the other: code shared with the playground would carry the playground's share to everyone.
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        // One small style sheet and no list of what to load with a chunk: so the page ships no code that works through it.
        cssCodeSplit: false,
        // For the budgets (.size-limit.js).
        manifest: true,
        rolldownOptions: { input: at('client/index.html') },
      },
    },
    // After the page, which it lists, and before the playground, which it leaves out.
    serviceWorker: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: at('client/offline/serviceWorker.ts'),
          output: { format: 'iife', entryFileNames: 'sw.js' },
        },
      },
    },
    playground: {
      consumer: 'client',
      optimizeDeps: { exclude: asTheyAre },
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        // GraphiQL's editor is a large one, and its "use no memo" is meant for a compiler that has already run.
        chunkSizeWarningLimit: 5000,
        rolldownOptions: {
          input: at('client/playground/index.html'),
          onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
        },
      },
    },
  },
  build: {
    outDir: at('dist/client'),
    target: 'es2023',
    modulePreload: false,
    // The browsers that know light-dark(): older ones would get a transformed, larger style sheet that nobody tested.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy allows no data: address for anything but pictures.
    assetsInlineLimit: 0,
  },
  optimizeDeps: { exclude: asTheyAre },
  worker: { format: 'es' },
  server: {
    // The address that a sign-in leads back to.
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/graphql', '/api', '/auth', '/avatar', '/local', '/.well-known', '/health'].map((path) => [
        path,
        {
          target: server,
          ws: path === '/graphql',
          bypass: ({ url = '' }: { url?: string }) => {
            // The address that a sign-in returns to is a page of the client, like any other.
            if (url.startsWith('/auth/callback')) return '/index.html';
            // The client has folders of these names too: their files are Vite's to serve.
            return /^[^?]+\.(tsx?|css)(\?|$)/.test(url) ? url : undefined;
          },
        },
      ]),
    ),
  },
});
