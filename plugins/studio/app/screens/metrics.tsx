import { useEffect } from 'preact/hooks';
import { get } from '../data/api.ts';
import { formatCount, formatCountOf, formatDuration } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { List } from '../data/types.ts';
import { Button } from '../ui/controls.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';

interface Timing {
  count: number;
  sum: number;
  p50: number | null;
  p95: number | null;
}

interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: ({ labels: Record<string, string> } & Partial<Timing> & { value?: number })[];
}

const RELOAD_MS = 5000;
const MAX_ROUTES = 20;

/** Renders the key metrics of the process: documents, times, requests and background work. They are updated while the view is visible. */
export function Metrics() {
  const metrics = useResource('metrics', (signal) => get<List<Metric>>('/studio/api/metrics', signal));
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') metrics.reload();
    }, RELOAD_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="page">
      <ViewHead
        title="Metrics"
        text="Measured in this process since its start. Prometheus reads all metrics at /metrics."
      >
        <Button icon="refresh" onClick={metrics.reload}>
          Refresh
        </Button>
      </ViewHead>
      <Loaded from={metrics}>
        {({ data }) => {
          const read = new Reader(data);
          return (
            <>
              <Figures read={read} />
              <Times rows={read.timings()} />
              <Routes rows={read.routes()} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function Figures({ read }: { read: Reader }) {
  const done = read.sum('renders_total', { outcome: 'completed' });
  const failed = read.sum('renders_total') - done;
  const messages = read.sum('webhook_tries_total');
  const browsers = read.sum('browser_recycles_total');
  const sandboxes = read.sum('sandbox_kills_total');
  return (
    <section class="figures" aria-label="Now">
      <div class="figure">
        <span>Documents printed</span>
        <strong>{formatCount(done)}</strong>
        <small>{formatCount(failed)} failed</small>
      </div>
      <div class="figure">
        <span>Being printed</span>
        <strong>{formatCount(read.sum('renders_running'))}</strong>
        <small>{formatCount(read.sum('render_queue_depth'))} waiting</small>
      </div>
      <div class="figure">
        <span>Background jobs</span>
        <strong>{formatCount(read.sum('job_depth'))}</strong>
        <small>{formatCountOf(messages, 'webhook message')} sent</small>
      </div>
      <div class="figure">
        <span>Processes replaced</span>
        <strong>{formatCount(browsers + sandboxes)}</strong>
        <small>
          {formatCountOf(browsers, 'browser')}, {formatCountOf(sandboxes, 'sandbox', 'sandboxes')}
        </small>
      </div>
    </section>
  );
}

interface TimingRow extends Timing {
  name: string;
}

const timingColumns: Column<TimingRow>[] = [
  { label: 'Mean', isNumber: true, isWideOnly: true, cell: ({ sum, count }) => secondsOf(sum / count) },
  { label: 'Half within', isNumber: true, cell: ({ p50 }) => boundOf(p50) },
  { label: '95% within', isNumber: true, cell: ({ p95 }) => boundOf(p95) },
];

function Times({ rows }: { rows: TimingRow[] }) {
  const columns: Column<TimingRow>[] = [
    { label: 'Step', cell: ({ name }) => <span class="cell-title">{name}</span> },
    { label: 'Times', isNumber: true, isWideOnly: true, cell: ({ count }) => formatCount(count) },
    ...timingColumns,
  ];
  return (
    <section>
      <header class="section-head">
        <h2>Times</h2>
      </header>
      <Table rows={rows} columns={columns} keyOf={({ name }) => name} />
    </section>
  );
}

function Routes({ rows }: { rows: (TimingRow & { faults: number })[] }) {
  const columns: Column<TimingRow & { faults: number }>[] = [
    { label: 'Route', cell: ({ name }) => <span class="cell-title">{name}</span> },
    { label: 'Requests', isNumber: true, cell: ({ count }) => formatCount(count) },
    { label: 'Server errors', isNumber: true, isWideOnly: true, cell: ({ faults }) => formatCount(faults) },
    ...timingColumns
      .filter(({ label }) => label !== 'Half within')
      .map((column) => ({ ...column, isWideOnly: true })),
  ];
  return (
    <section>
      <header class="section-head">
        <h2>Requests</h2>
      </header>
      {rows.length === 0 ? (
        <Empty
          icon="metrics"
          title="No requests yet"
          text="Requests of programs and of the studio appear here."
        />
      ) : (
        <Table rows={rows} columns={columns} keyOf={({ name }) => name} />
      )}
    </section>
  );
}

/** The names of the times, by metric and by the value of its label. */
const TIMES: [metric: string, label: string, names: Record<string, string>][] = [
  [
    'render_seconds',
    'class',
    { plain: 'Printing a plain document', active: 'Printing with scripts or assets' },
  ],
  ['render_wait_seconds', 'urgency', { caller: 'Waiting for a page', batch: 'Waiting for a page, batches' }],
  [
    'sandbox_wait_seconds',
    'urgency',
    { caller: 'Waiting for the sandbox', batch: 'Waiting for the sandbox, batches' },
  ],
  [
    'job_wait_seconds',
    'job',
    { 'batch.item': 'Waiting batch items', 'webhooks.deliver': 'Waiting webhook messages' },
  ],
  ['event_loop_delay_seconds', '', { '': 'Delay of the event loop' }],
];

/** Reads the metrics by their names without the prefix. */
class Reader {
  readonly #metrics: ReadonlyMap<string, Metric>;

  constructor(metrics: readonly Metric[]) {
    this.#metrics = new Map(metrics.map((metric) => [metric.name.replace(/^platen_/, ''), metric]));
  }

  /** Returns the sum of the values that have the labels. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.#values(name)
      .filter((value) => Object.entries(labels).every(([label, text]) => value.labels[label] === text))
      .reduce((sum, { value = 0 }) => sum + value, 0);
  }

  timings(): TimingRow[] {
    return TIMES.flatMap(([metric, label, names]) =>
      this.#values(metric)
        .filter(({ count = 0 }) => count > 0)
        .map((value) => ({ ...timingOf(value), name: names[value.labels[label] ?? ''] ?? metric })),
    );
  }

  /** Returns the routes with the most requests. */
  routes(): (TimingRow & { faults: number })[] {
    const faults = this.#values('http_requests_total').filter(({ labels }) =>
      labels['status']?.startsWith('5'),
    );
    return this.#values('http_request_seconds')
      .map((value) => {
        const name = value.labels['route'] ?? '';
        const own = faults.filter(({ labels }) => labels['route'] === name);
        return { ...timingOf(value), name, faults: own.reduce((sum, fault) => sum + (fault.value ?? 0), 0) };
      })
      .toSorted((a, b) => b.count - a.count)
      .slice(0, MAX_ROUTES);
  }

  #values(name: string): Metric['values'] {
    return this.#metrics.get(name)?.values ?? [];
  }
}

function timingOf({ count = 0, sum = 0, p50 = null, p95 = null }: Partial<Timing>): Timing {
  return { count, sum, p50, p95 };
}

function secondsOf(seconds: number): string {
  return formatDuration(seconds * 1000);
}

/** Formats the upper bound of a share of the times. Without a bound, it is longer than the longest bucket. */
function boundOf(seconds: number | null): string {
  return seconds === null ? 'over 30 s' : secondsOf(seconds);
}
