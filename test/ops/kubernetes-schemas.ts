import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import ts from 'typescript';
import { parse } from 'yaml';
import type { Resource } from './kustomize.js';

/** Missing, unknown and wrong fields, each with the object that has it. */
export function problemsOf(resources: readonly Resource[]): string[] {
  return [...problemsOfTypes(resources.filter(isNative)), ...resources.filter(isCustom).flatMap(problemsOfSchema)];
}

/** Prometheus' operator has types of its own. */
const isCustom = ({ apiVersion }: Resource) => apiVersion === 'monitoring.coreos.com/v1';
const isNative = (resource: Resource) => !isCustom(resource);
const nameOf = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;

/** The problems that TypeScript finds in the objects as values of the types of the API of Kubernetes. */
function problemsOfTypes(resources: readonly Resource[]): string[] {
  const nameAt = (index: number) => join(process.cwd(), `test/ops/resource-${index}.ts`);
  const texts = new Map(
    resources.map((resource, index) => {
      const [group, number = group] = resource.apiVersion.split('/');
      const module = number === group ? 'core' : group!.replace(/\..*/, '');
      const text = `import type { ${resource.kind} } from 'kubernetes-types/${module}/${number}';
        export const resource: ${resource.kind} = ${JSON.stringify(resource)};`;
      return [nameAt(index), text];
    }),
  );
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es5.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const withResources: ts.CompilerHost = {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    getSourceFile: (file, ...rest) =>
      texts.has(file)
        ? ts.createSourceFile(file, texts.get(file)!, ts.ScriptTarget.ES2020)
        : host.getSourceFile(file, ...rest),
  };
  const names = [...texts.keys()];
  return ts.getPreEmitDiagnostics(ts.createProgram(names, options, withResources)).map(({ messageText, file }) => {
    const resource = resources[names.indexOf(file?.fileName ?? '')];
    return `${resource ? nameOf(resource) : file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

function problemsOfSchema(resource: Resource): string[] {
  const text = readFileSync(`test/ops/crds/${resource.kind.toLowerCase()}s.yaml`, 'utf8');
  const validate = ajv.compile(withoutUnknownFields(parse(text)) as object);
  validate(resource);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${nameOf(resource)}: ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The API drops the fields that a schema does not name, and says nothing. */
function withoutUnknownFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnknownFields);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutUnknownFields(value)]));
  const isClosed = inner.type === 'object' && inner.properties && !('additionalProperties' in inner);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
