import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://localhost:3000';
/** They import workers in Vite's own way, which the preparation of packages for development does not understand. */
const asTheyAre = ['graphiql/setup-workers/vite', '@graphiql/react/setup-workers/vite'];

export default defineConfig({
  root: at('client'),
  plugins: [react()],
  // RxJS ships classes under this condition and ES5 with helpers otherwise.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  // Two builds, because code shared with the playground would carry the playground's share to everyone.
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
  environments: {
    client: { build: { emptyOutDir: true, rolldownOptions: { input: at('client/index.html') } } },
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
    // Every browser of that target preloads modules by itself.
    modulePreload: { polyfill: false },
    // The browsers that know light-dark(): older ones would get a transformed, larger style sheet that nobody tested.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy allows no data: address for anything but pictures.
    assetsInlineLimit: 0,
  },
  optimizeDeps: { exclude: asTheyAre },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/graphql', '/api', '/auth', '/avatar', '/local', '/.well-known', '/health'].map((path) => [
        path,
        {
          target: server,
          ws: path === '/graphql',
          // The address that a sign-in returns to is a page of the client, like any other.
          bypass: (request: { url?: string }) =>
            request.url?.startsWith('/auth/callback') ? '/index.html' : undefined,
        },
      ]),
    ),
  },
});
