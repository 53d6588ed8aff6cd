import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';
import { findKubectl } from '../../scripts/machine/kubectl.js';

/** An object of Kubernetes, as kubectl prints it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

const kubectl = findKubectl();

/** A suite that needs kubectl. It renders within its tests, because a skipped suite collects them too. */
export const describeWithKubectl = (title: string, tests: () => void) =>
  kubectl ? describe(title, tests) : describe.skip(`${title} (SKIPPED: kubectl 1.27 or newer is not installed)`, tests);

const EXAMPLE = 'ops/kubernetes/example';
const rendered = new Map<string, readonly Resource[]>();

/** What `kubectl apply -k` would apply. */
function render(folder: string): readonly Resource[] {
  const known = rendered.get(folder);
  if (known) return known;
  const text = execFileSync(kubectl!, ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
  const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
  rendered.set(folder, resources);
  return resources;
}

export const base = () => render('ops/kubernetes/base');
export const example = () => render(EXAMPLE);

/** The example with everything that its comments offer, with the `# ` before those lines removed as an operator does. */
export function everything(): readonly Resource[] {
  const known = rendered.get('everything');
  if (known) return known;
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-kubernetes-'));
  try {
    cpSync('ops', join(folder, 'ops'), { recursive: true });
    const file = join(folder, EXAMPLE, 'kustomization.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^( *)# (?=- | {2})/gm, '$1'));
    const resources = render(join(folder, EXAMPLE));
    rendered.set('everything', resources);
    return resources;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws without such a resource. A ConfigMap has a hash at the end of its name. */
export function find<T = Resource>(resources: readonly Resource[], kind: string, name: string): T {
  const found = resources.find(
    (resource) => resource.kind === kind && resource.metadata.name.replace(/-[a-z0-9]{10}$/, '') === name,
  );
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found as T;
}

interface Pod {
  readonly labels: Record<string, string>;
  readonly spec: PodSpec;
}

interface Template {
  readonly metadata: { labels: Record<string, string> };
  readonly spec: PodSpec;
}

/** The pods that a deployment, a job or a cron job starts. */
export function podOf(resource: Resource): Pod | undefined {
  const spec = resource.spec as { template?: Template; jobTemplate?: { spec: { template: Template } } } | undefined;
  const template = spec?.jobTemplate?.spec.template ?? spec?.template;
  return template && { labels: template.metadata.labels, spec: template.spec };
}
