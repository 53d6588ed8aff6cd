/**
 * What a client of REST loses between two OpenAPI documents. It compares objects, lists, enums, `$ref` and `null`, not the bounds
 * of numbers and texts.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {{ breaking: string[], dangerous: string[] }} Changes
 * @typedef {{ before: Json, after: Json, changes: Changes }} Comparison of two whole documents
 */

/** The type of a shape without `type`. */
const ANYTHING = 'anything';

/**
 * @param {Json} before
 * @param {Json} after
 * @returns {Changes}
 */
export function openApiChanges(before, after) {
  /** @type {Changes} */
  const changes = { breaking: [], dangerous: [] };
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const other = after.paths[path]?.[method];
      if (other) compareOperations({ before, after, changes }, at, operation, other);
      else changes.breaking.push(`${at} is gone`);
    }
  }
  return changes;
}

/** @param {Comparison} of @param {string} at @param {Json} before @param {Json} after */
function compareOperations(of, at, before, after) {
  const { breaking } = of.changes;
  if (before.operationId !== after.operationId)
    breaking.push(`${at} is now ${after.operationId}, for generated clients`);
  if (before.security.length === 0 && after.security.length > 0) breaking.push(`${at} now needs a token`);
  compareParameters(of, at, before, after);
  compareBodies(of, at, before.requestBody, after.requestBody);
  for (const [status, response] of Object.entries(before.responses)) {
    const other = after.responses[status];
    if (status.startsWith('2')) {
      compareMedia(of, `${at} no longer answers`, response, other);
      compareOutput(of, at, bodyOf(response), bodyOf(other));
    }
    const codes = codesOf(other);
    for (const code of codesOf(response)) {
      if (!codes.includes(code)) breaking.push(`${at} no longer answers ${status} with ${code}`);
    }
  }
}

/** @param {Comparison} of @param {string} at @param {Json} before @param {Json} after */
function compareParameters(of, at, before, after) {
  const { breaking } = of.changes;
  const named = (/** @type {Json} */ { parameters = [] }) =>
    new Map(parameters.map((/** @type {Json} */ one) => [`${one.in} ${one.name}`, one]));
  const [known, given] = [named(before), named(after)];
  for (const [key, { in: place, name, schema }] of known) {
    const other = given.get(key);
    if (other) compareInput(of, `${at}?${name}`, schema, other.schema);
    else breaking.push(`${at} no longer takes ${name} (${place})`);
  }
  for (const [key, { name, required }] of given) {
    if (required && !known.get(key)?.required) breaking.push(`${at} now needs ${name}`);
  }
}

/** @param {Comparison} of @param {string} at @param {Json | undefined} before @param {Json | undefined} after */
function compareBodies(of, at, before, after) {
  if (after?.required && !before?.required) of.changes.breaking.push(`${at} now needs a body`);
  if (!before) return;
  compareMedia(of, `${at} no longer takes`, before, after);
  compareInput(of, at, bodyOf(before), bodyOf(after));
}

/** @param {Comparison} of @param {string} said @param {Json} before @param {Json | undefined} after */
function compareMedia(of, said, before, after) {
  for (const media of Object.keys(before.content ?? {})) {
    if (!after?.content?.[media]) of.changes.breaking.push(`${said} ${media}`);
  }
}

const bodyOf = (/** @type {Json | undefined} */ part) =>
  /** @type {Json} */ (Object.values(part?.content ?? {})[0])?.schema;

/** The codes of a refusal. @returns {string[]} */
const codesOf = (/** @type {Json | undefined} */ response) => bodyOf(response)?.allOf?.[1]?.properties.code.enum ?? [];

/** What a client sends. @param {Comparison} of @param {string} at @param {Json | undefined} before @param {Json | undefined} after */
function compareInput(of, at, before, after) {
  const { breaking } = of.changes;
  const [one, other] = [resolved(of.before, before), resolved(of.after, after)];
  for (const name of other.required) {
    if (!one.required.includes(name)) breaking.push(`${at} now needs ${name}`);
  }
  for (const [name, property] of Object.entries(one.properties)) {
    if (other.properties[name]) compareInput(of, `${at}.${name}`, property, other.properties[name]);
    else breaking.push(`${at} no longer takes ${name}`);
  }
  const gone = one.types.filter((type) => !other.types.includes(type) && !other.types.includes(ANYTHING));
  if (gone.length > 0) breaking.push(`${at} no longer takes ${gone.join(', ')}`);
  for (const value of other.values.length > 0 ? one.values : []) {
    if (!other.values.includes(value)) breaking.push(`${at} no longer takes ${value}`);
  }
  if (other.values.length > 0 && one.values.length === 0) breaking.push(`${at} takes only ${other.values.join(', ')}`);
  if (one.items && other.items) compareInput(of, `${at}[]`, one.items, other.items);
}

/** What a client gets. @param {Comparison} of @param {string} at @param {Json | undefined} before @param {Json | undefined} after */
function compareOutput(of, at, before, after) {
  const { breaking, dangerous } = of.changes;
  const [one, other] = [resolved(of.before, before), resolved(of.after, after)];
  for (const [name, property] of Object.entries(one.properties)) {
    const isSure = !one.required.includes(name) || other.required.includes(name);
    if (other.properties[name] && isSure) compareOutput(of, `${at}.${name}`, property, other.properties[name]);
    else breaking.push(`${at} no longer answers ${name}${isSure ? '' : ' each time'}`);
  }
  const fresh = other.types.filter((type) => !one.types.includes(type) && !one.types.includes(ANYTHING));
  if (fresh.length > 0) breaking.push(`${at} may now be ${fresh.join(', ')}`);
  for (const value of one.values.length > 0 ? other.values : []) {
    if (!one.values.includes(value)) dangerous.push(`${at} may now be ${value}`);
  }
  if (one.values.length > 0 && other.values.length === 0) dangerous.push(`${at} has no list of values any more`);
  if (one.items && other.items) compareOutput(of, `${at}[]`, one.items, other.items);
}

/**
 * A shape without references, with `null` among its types.
 *
 * @param {Json} document
 * @param {Json} [schema]
 * @returns {{ types: string[], properties: Record<string, Json>, required: string[], values: unknown[], items?: Json }}
 */
function resolved(document, schema = {}) {
  if (schema.$ref) return resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.anyOf) {
    const parts = schema.anyOf.map((/** @type {Json} */ part) => resolved(document, part));
    const shape = parts.find((/** @type {{ types: string[] }} */ { types }) => !types.includes('null'));
    return { ...shape, types: parts.flatMap((/** @type {{ types: string[] }} */ { types }) => types) };
  }
  const { type = ANYTHING, properties = {}, required = [], const: only, items } = schema;
  const values = schema.enum ?? (only === undefined ? [] : [only]);
  return { types: [type].flat(), properties, required, values, items };
}
