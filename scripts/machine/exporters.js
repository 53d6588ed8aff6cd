/** Finds or installs the exporters of Prometheus, whose metrics the alert rules in ops/ use. */
import { ensureProgram, findProgram } from './debian.js';

const NODE = 'prometheus-node-exporter';
const BLACKBOX = 'prometheus-blackbox-exporter';

export const findNodeExporter = () => findProgram(NODE);
export const findBlackboxExporter = () => findProgram(BLACKBOX);

export async function ensureExporters() {
  const purpose = 'the tests of the metrics in the alert rules';
  await ensureProgram({ name: 'node_exporter', program: NODE, purpose });
  await ensureProgram({ name: 'blackbox_exporter', program: BLACKBOX, purpose });
}
