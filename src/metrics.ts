import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Creates metrics in the Prometheus text format, each with the prefix `platen_`. `/metrics` shows all of
 * them.
 */
export interface Metrics {
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  /** Creates a histogram of seconds. `buckets` are the upper bounds; those for rendering when absent. */
  histogram<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Histogram<L>;
  /** Creates a gauge whose value, or values by a label, are read when `/metrics` is requested. */
  gauge(name: string, help: string, read: () => number): void;
  gauge(
    name: string,
    help: string,
    read: () => Promise<Readonly<Record<string, number>>>,
    label: string,
  ): void;
  /** The metrics that were created, in the order of their names. */
  definitions(): MetricDefinition[];
  /** Renders all metrics in the text format. */
  render(): Promise<string>;
  /** Reads all metrics. Histograms are summarized. */
  read(): Promise<MetricReading[]>;
}

/** A metric without its values. */
export interface MetricDefinition {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  /** A sentence that says what is measured. */
  help: string;
}

/** The current values of a metric, by their labels. */
export interface MetricReading extends Omit<MetricDefinition, 'labels'> {
  values: ({ labels: Record<string, string> } & ({ value: number } | HistogramSummary))[];
}

/**
 * The summary of a histogram. A percentile is the upper bound of its bucket; `null` in the last bucket, which
 * has no bound.
 */
export interface HistogramSummary {
  count: number;
  sum: number;
  p50: number | null;
  p95: number | null;
}

// Seconds. A simple page takes about ten milliseconds, and the default deadline is 30 s.
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics of one service. Two services in one process share none. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const defined: MetricDefinition[] = [];
  const define = (
    type: MetricDefinition['type'],
    suffix: string,
    help: string,
    labels: readonly string[],
  ) => {
    const name = `platen_${suffix}`;
    defined.push({ name, type, labels, help });
    return name;
  };
  return {
    counter: (name, help, labels = []) =>
      new Counter({ name: define('counter', name, help, labels), help, labelNames: labels, registers }),
    histogram: (suffix, help, labels = [], buckets = BUCKETS) => {
      const name = define('histogram', suffix, help, labels);
      return new Histogram({ name, help, labelNames: labels, registers, buckets: [...buckets] });
    },
    gauge: (
      name: string,
      help: string,
      read: () => number | Promise<Readonly<Record<string, number>>>,
      label?: string,
    ) => {
      const labelNames = label === undefined ? [] : [label];
      const gauge: Gauge = new Gauge({
        name: define('gauge', name, help, labelNames),
        help,
        labelNames,
        registers: [],
        async collect() {
          const values = await read();
          if (typeof values === 'number') gauge.set(values);
          else for (const [key, value] of Object.entries(values)) gauge.set({ [label ?? '']: key }, value);
        },
      });
      registry.registerMetric(gauge);
    },
    definitions: () => defined.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    render: () => registry.metrics(),
    read: async () => (await registry.getMetricsAsJSON()).map(readMetric),
  };
}

type RegistryMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];
type Labels = Readonly<Partial<Record<string, string | number>>>;
type Sample = { labels: Labels; value: number; metricName?: string };

function readMetric({ name, help, type, values }: RegistryMetric): MetricReading {
  const samples: readonly Sample[] = values;
  const kind = String(type);
  if (kind === 'histogram') return { name, help, type: 'histogram', values: summarize(samples) };
  return {
    name,
    help,
    type: kind === 'gauge' ? 'gauge' : 'counter',
    values: samples.map(({ labels, value }) => ({ labels: toTexts(labels), value })),
  };
}

function summarize(samples: readonly Sample[]): ({ labels: Record<string, string> } & HistogramSummary)[] {
  const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify(withoutBound(labels)));
  return [...groups].map(([key, group]) => {
    const valueOf = (suffix: string) =>
      group.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
    const count = valueOf('_count');
    const buckets = group.filter(({ metricName }) => metricName?.endsWith('_bucket'));
    const percentile = (share: number) => {
      const bound = buckets.find(({ value }) => count > 0 && value >= share * count)?.labels['le'];
      return typeof bound === 'number' ? bound : null;
    };
    return {
      labels: JSON.parse(key),
      count,
      sum: valueOf('_sum'),
      p50: percentile(0.5),
      p95: percentile(0.95),
    };
  });
}

function withoutBound(labels: Labels): Record<string, string> {
  const entries = Object.entries(toTexts(labels)).filter(([name]) => name !== 'le');
  return Object.fromEntries(entries);
}

function toTexts(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
