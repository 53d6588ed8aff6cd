/** In place of Vite's own (see vite.config.ts), which first loads style sheets: the page has one, and it is there. */
export const __vitePreload = <T>(load: () => Promise<T>): Promise<T> => load();
