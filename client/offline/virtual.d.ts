/** Every file of the built page, and what changes with its content. Made by scripts/files-of-the-page.js. */
declare module 'virtual:files-of-the-page' {
  const files: { url: string; revision: string | null }[];
  export default files;
}
