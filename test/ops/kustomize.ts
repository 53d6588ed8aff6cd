import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object of Kubernetes, as its file has it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources?: string[];
  components?: string[];
  images?: { name: string; newName?: string; newTag?: string }[];
  configMapGenerator?: { name: string; behavior?: 'merge'; literals: string[] }[];
  patches?: { target: { kind: string; name: string }; patch: string }[];
}

const KNOWN = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'images', 'configMapGenerator', 'patches'];

/**
 * Does with a folder what `kubectl kustomize` does with it, except for the hash at the end of the ConfigMap's name. Knows only
 * what our files use, and rejects the rest.
 */
export function kustomize(folder: string, read: Set<string> = new Set()): Resource[] {
  const file = join(folder, 'kustomization.yaml');
  const wanted = parse(readFileSync(file, 'utf8')) as Kustomization;
  read.add(file);
  const unknown = Object.keys(wanted).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`${file} has ${unknown.join(', ')}, which this test does not know.`);
  const parts = [...(wanted.resources ?? []), ...(wanted.components ?? [])].map((path) => join(folder, path));
  let resources = parts.flatMap((path) =>
    statSync(path).isDirectory() ? kustomize(path, read) : documents(path, read),
  );
  for (const generator of wanted.configMapGenerator ?? []) resources = withConfigMap(resources, generator);
  let text = JSON.stringify(resources);
  for (const { name, newName = name, newTag } of wanted.images ?? []) {
    text = text.replace(
      new RegExp(`"image":"${name}(:[^"]*)?"`, 'g'),
      (_all, tag = '') => `"image":"${newName}${newTag ? `:${newTag}` : String(tag)}"`,
    );
  }
  resources = JSON.parse(text) as Resource[];
  for (const { target, patch } of wanted.patches ?? []) replaceIn(find(resources, target.kind, target.name), patch);
  const { namespace } = wanted;
  return namespace
    ? resources.map((resource) => ({ ...resource, metadata: { ...resource.metadata, namespace } }))
    : resources;
}

/** @throws without such a resource */
export function find(resources: readonly Resource[], kind: string, name: string): Resource {
  const found = resources.find((resource) => resource.kind === kind && resource.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

function documents(path: string, read: Set<string>): Resource[] {
  if (!existsSync(path)) throw new Error(`${path} is missing.`);
  read.add(path);
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as Resource;
  });
}

type Generator = NonNullable<Kustomization['configMapGenerator']>[number];

function withConfigMap(resources: Resource[], { name, behavior, literals }: Generator): Resource[] {
  const data = Object.fromEntries(literals.map((line) => /^([^=]+)=(.*)$/.exec(line)!.slice(1, 3) as [string, string]));
  if (behavior !== 'merge') return [...resources, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }];
  const before = find(resources, 'ConfigMap', name);
  const after = { ...before, data: { ...before.data, ...data } };
  return resources.map((resource) => (resource === before ? after : resource));
}

/** Each operation replaces a value that is there. */
function replaceIn(resource: Resource, patch: string): void {
  for (const { op, path, value } of parse(patch) as { op: string; path: string; value: unknown }[]) {
    const keys = path.split('/').slice(1);
    const last = keys.pop()!;
    const parent = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], resource) as
      Record<string, unknown> | undefined;
    if (op !== 'replace' || parent?.[last] === undefined) throw new Error(`Nothing to replace at ${path}.`);
    parent[last] = value;
  }
}
