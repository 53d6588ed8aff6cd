/**
 * Imported first by every command: one sentence instead of a stack trace on a Node that is too old.
 * Keep to syntax that such a Node can read.
 */
const NEEDED = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  console.error(
    `This needs Node.js ${NEEDED.major}.${NEEDED.minor} or newer, and this is ${process.version}: https://nodejs.org`,
  );
  process.exit(1);
}
