/**
 * Holds each answer of REST that a feature test gets to openapi.json. A client ignores a field that it does not know: here it is
 * a mistake, as is a header.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Description {
  readonly paths: Record<string, Record<string, { responses: Record<string, { headers: object; content?: object }> }>>;
  readonly components: { readonly headers: Record<string, { required: boolean }> };
}

const closed = (_key: string, value: { properties?: object }): unknown =>
  value?.properties ? { ...value, additionalProperties: false } : value;
const rest = JSON.parse(readFileSync('openapi.json', 'utf8'), closed) as Description;
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(rest, 'rest');

/** What HTTP has, and what protects browsers. */
const OF_HTTP =
  /^(access-control-|cache-control|connection|content-|cross-origin-|date|keep-alive|origin-agent-|referrer-policy|strict-transport-|vary|x-(content|dns|download|frame|permitted|xss)-)/;

/** @returns in what the answer is another one than described */
export async function mistakesIn(response: Response, method: string, path: string): Promise<string[]> {
  const { responses } = rest.paths[path]?.[method] ?? {};
  const answer = responses?.[response.status];
  if (!answer) return responses ? ['the status'] : [];
  const headers = Object.keys(answer.headers);
  const missing = headers.filter((name) => rest.components.headers[name]!.required && !response.headers.has(name));
  const known = new Set(headers.map((name) => name.toLowerCase()));
  const unknown = [...response.headers.keys()].filter((name) => !known.has(name) && !OF_HTTP.test(name));
  if (!answer.content) return [...missing, ...unknown];
  const place = `${path.replaceAll('/', '~1')}/${method}/responses/${response.status}/content/application~1json/schema`;
  const fits = ajv.getSchema(`rest#/paths/${place}`)!;
  const isFit = fits(await response.clone().json());
  return [...missing, ...unknown, ...(isFit ? [] : [ajv.errorsText(fits.errors)])];
}

const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  const { method = 'GET' } = init ?? {};
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const mistakes = (await mistakesIn(response, method.toLowerCase(), pathname)).join(', ');
  if (mistakes)
    throw new Error(`openapi.json tells ${response.status} of ${method} ${pathname} otherwise: ${mistakes}`);
  return response;
};
