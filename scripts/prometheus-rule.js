/**
 * Writes the alerts of ops/prometheus-rules.yml as an object of the Prometheus Operator (`npm run generate`): kustomize cannot put a file
 * into a field.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from './machine/run.js';

const output = join(ROOT, 'ops/kubernetes/components/alerts/prometheus-rule.yaml');
const rules = readFileSync(join(ROOT, 'ops/prometheus-rules.yml'), 'utf8');

const text = `# Written by scripts/prometheus-rule.js from ops/prometheus-rules.yml. Do not edit.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: tic-tac-toe
  labels:
    app.kubernetes.io/name: tic-tac-toe
spec:
${rules.replace(/^(?=.)/gm, '  ')}`;

writeFileSync(output, await format(text, { ...(await resolveConfig(output)), filepath: output }));
