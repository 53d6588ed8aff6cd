/** Every file of the built page, and what changes with its content. Made by scripts/precache-manifest.js. */
declare module 'virtual:precache-manifest' {
  const files: { url: string; revision: string | null }[];
  export default files;
}
