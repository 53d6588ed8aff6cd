/**
 * Every command imports this file first. It prints one sentence on a version of Node that is too old, so use only syntax that
 * old versions can parse.
 */
const NEEDED = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  console.error(
    `This needs Node.js ${NEEDED.major}.${NEEDED.minor} or newer, and this is ${process.version}: https://nodejs.org`,
  );
  process.exit(1);
}
