import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Creates metrics in the Prometheus text format, each with the prefix `platen_`. `/metrics` shows all of them. */
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
  /** Renders all metrics in the text format. */
  render(): Promise<string>;
}

// Seconds. A simple page takes about ten milliseconds, and the default deadline is 30 s.
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics of one service. Two services in one process share none. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    counter: (name, help, labels = []) =>
      new Counter({ name: `platen_${name}`, help, labelNames: labels, registers }),
    histogram: (name, help, labels = [], buckets = BUCKETS) =>
      new Histogram({ name: `platen_${name}`, help, labelNames: labels, registers, buckets: [...buckets] }),
    gauge: (
      name: string,
      help: string,
      read: () => number | Promise<Readonly<Record<string, number>>>,
      label?: string,
    ) => {
      const gauge: Gauge = new Gauge({
        name: `platen_${name}`,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [],
        async collect() {
          const values = await read();
          if (typeof values === 'number') gauge.set(values);
          else for (const [key, value] of Object.entries(values)) gauge.set({ [label ?? '']: key }, value);
        },
      });
      registry.registerMetric(gauge);
    },
    render: () => registry.metrics(),
  };
}
