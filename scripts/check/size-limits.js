/**
 * The limits of sizes. Lint checks files, functions and constructors; tests may have longer ones. `npm run check` counts the
 * files of each folder (folder-sizes.js).
 */
const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const MAX_CONSTRUCTOR_PARAMETERS = 5;
export const MAX_FILES = 24;

/** Where the limits hold. */
export const LIMITED = ['benchmark', 'client', 'game', 'scripts', 'server'];

/** @type {import('eslint').Rule.RuleModule} */
const constructorParameters = {
  create: (context) => ({
    /** @param {import('eslint').Rule.Node & { params: unknown[] }} node */
    'MethodDefinition[kind="constructor"] > FunctionExpression'(node) {
      if (node.params.length <= MAX_CONSTRUCTOR_PARAMETERS) return;
      const message = `A constructor has at most ${MAX_CONSTRUCTOR_PARAMETERS} parameters: a class that needs more does too much.`;
      context.report({ node, message });
    },
  }),
};

/** @type {import('eslint').Linter.Config} */
export default {
  files: LIMITED.map((folder) => `${folder}/**/*.{js,ts,tsx}`),
  ignores: ['**/*.test.{ts,tsx}', 'client/testing/**', 'client/graphql/generated*'],
  plugins: { sizes: { rules: { 'constructor-parameters': constructorParameters } } },
  rules: {
    'max-lines': ['error', MAX_LINES],
    'max-lines-per-function': ['error', MAX_FUNCTION_LINES],
    'sizes/constructor-parameters': 'error',
  },
};
