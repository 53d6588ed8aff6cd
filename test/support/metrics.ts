/** A sample of a metric, such as `ttt_games_total{outcome="counted"} 3`. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a server says at its port for metrics. */
export interface Metrics {
  readonly text: string;
  /** The names that a query may use, with those of the parts of histograms. */
  readonly names: ReadonlySet<string>;
  readonly samples: readonly Sample[];
  /** The sum of the samples with this name and these labels. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number;
}

export async function metricsAt(port: number): Promise<Metrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
  );
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])) as Record<
      string,
      string
    >,
    value: Number(value),
  }));
  return {
    text,
    names: new Set(names),
    samples,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
