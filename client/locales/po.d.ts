/** A catalog, compiled by the build (vite.config.ts). */
declare module '*.po' {
  export const messages: import('@lingui/core').Messages;
}
