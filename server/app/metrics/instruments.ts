import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of this process. */
export const registry = new Registry();
const registers = [registry];

export function counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
  return new Counter({ name, help, labelNames, registers });
}

type HistogramSettings<Label> = { readonly buckets: number[]; readonly labelNames?: Label[] };

export function histogram<Label extends string = never>(
  name: string,
  help: string,
  settings: HistogramSettings<Label>,
): Histogram<Label> {
  return new Histogram({ name, help, ...settings, registers });
}

/** @param collect sets the values when Prometheus asks for them */
export function gauge<Label extends string = never>(
  name: string,
  help: string,
  labelNames: Label[] = [],
  collect?: (gauge: Gauge<Label>) => void | Promise<void>,
): Gauge<Label> {
  const created: Gauge<Label> = new Gauge({ name, help, labelNames, registers, collect: () => collect?.(created) });
  return created;
}
