/** The import boundary between the GraphQL documents of the page's features, which the linter does not read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, visit } from 'graphql';
import ts from 'typescript';
import { ROOT } from '../machine/run.js';

/** @typedef {{ path: string, text: string }} Source */

const SHARED = 'graphql';
/** Stands for all names of a module. */
const EVERYTHING = '*';

/** @returns {Source[]} the documents of the page and the modules that may use them */
export function clientSources() {
  return readdirSync(join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(graphql|tsx?)$/.test(path) && !/^testing\/|\.test\.tsx?$|^graphql\/generated\b/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, 'client', path), 'utf8') }));
}

/**
 * A feature uses only its own documents and those of client/graphql.
 * @param {Source[]} sources with paths from client/
 * @returns {string[]} what crosses a boundary, as sentences
 */
export function crossings(sources) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  const documents = sources.filter(({ path }) => path.endsWith('.graphql'));
  for (const { path, text } of documents) {
    for (const definition of parse(text).definitions) {
      if ('name' in definition && definition.name) owners.set(definition.name.value, folderOf(path));
    }
  }
  return sources.flatMap((source) => {
    const { path, text } = source;
    return (path.endsWith('.graphql') ? spreadsIn(text) : generatedIn(source)).flatMap((name) => {
      if (name === EVERYTHING) return [`client/${path} imports all of generated.ts: import single names.`];
      const owner = owners.get(name);
      if (!owner || owner === SHARED || owner === folderOf(path)) return [];
      return [`client/${path} uses ${name} of client/${owner}: put what two features select into client/${SHARED}.`];
    });
  });
}

/** @param {string} path */
function folderOf(path) {
  return path.split('/')[0] ?? '';
}

/** @param {string} text @returns {string[]} */
function spreadsIn(text) {
  /** @type {string[]} */
  const names = [];
  visit(parse(text), { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

/**
 * @param {Source} source
 * @returns {string[]} the operations and fragments behind the names that it imports from generated.ts
 */
function generatedIn({ path, text }) {
  /** @type {string[]} */
  const names = [];
  /** @param {ts.Node} node */
  const collect = (node) => {
    if (isGenerated(moduleOf(node))) names.push(...namesOf(node));
    ts.forEachChild(node, collect);
  };
  collect(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return names.map((name) =>
    name.replace(/(Document|FragmentDoc|Fragment|(Query|Mutation|Subscription)(Variables)?)$/, ''),
  );
}

/** @param {ts.Node | undefined} specifier */
function isGenerated(specifier) {
  return specifier && ts.isStringLiteralLike(specifier) && /\/graphql\/generated(\.[jt]s|\/.*)?$/.test(specifier.text);
}

/** @param {ts.Node} node @returns {ts.Node | undefined} the path of the module that the node imports */
function moduleOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isExternalModuleReference(node)) return node.expression;
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined;
}

/** @param {ts.Node} node @returns {string[]} the names that an import takes from its module */
function namesOf(node) {
  if (ts.isImportTypeNode(node)) return [node.qualifier ? firstOf(node.qualifier) : EVERYTHING];
  if (ts.isImportDeclaration(node) && !node.importClause) return [];
  const isStatement = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  const list = isStatement && (ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause);
  if (list && 'elements' in list) return list.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
  return [EVERYTHING];
}

/** @param {ts.EntityName} name @returns {string} */
function firstOf(name) {
  return ts.isIdentifier(name) ? name.text : firstOf(name.left);
}
