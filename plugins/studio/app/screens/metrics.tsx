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

/**
 * Renders the key metrics of the process: documents, durations, requests and background jobs. They are
 * reloaded while the page is visible.
 */
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
        text="These values were measured in this process since it started. Prometheus can read all metrics at /metrics."
      >
        <Button icon="refresh" onClick={metrics.reload}>
          Refresh
        </Button>
      </ViewHead>
      <Loaded from={metrics}>
        {({ data }) => {
          const reader = new MetricReader(data);
          return (
            <>
              <Figures reader={reader} />
              <Durations rows={reader.timings()} />
              <Routes rows={reader.routes()} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function Figures({ reader }: { reader: MetricReader }) {
  const done = reader.sum('renders_total', { outcome: 'completed' });
  const failed = reader.sum('renders_total') - done;
  const attempts = reader.sum('webhook_tries_total');
  const browsers = reader.sum('browser_recycles_total');
  const sandboxes = reader.sum('sandbox_kills_total');
  return (
    <section class="figures" aria-label="Now">
      <div class="figure">
        <span>Documents printed</span>
        <strong>{formatCount(done)}</strong>
        <small>{formatCount(failed)} failed</small>
      </div>
      <div class="figure">
        <span>Being printed</span>
        <strong>{formatCount(reader.sum('renders_running'))}</strong>
        <small>{formatCount(reader.sum('render_queue_depth'))} waiting</small>
      </div>
      <div class="figure">
        <span>Background jobs</span>
        <strong>{formatCount(reader.sum('job_depth'))}</strong>
        <small>{formatCountOf(attempts, 'attempt')} to deliver webhooks</small>
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

/** The upper bound of the longest bucket in the histograms of the service. */
const LONGEST_BUCKET_SECONDS = 30;

interface TimingRow extends Timing {
  name: string;
  longestBucketSeconds: number;
}

const timingColumns: Column<TimingRow>[] = [
  { label: 'Mean', isNumber: true, isWideOnly: true, cell: ({ sum, count }) => secondsOf(sum / count) },
  { label: 'Half within', isNumber: true, cell: (row) => boundOf(row.p50, row.longestBucketSeconds) },
  { label: '95% within', isNumber: true, cell: (row) => boundOf(row.p95, row.longestBucketSeconds) },
];

function Durations({ rows }: { rows: TimingRow[] }) {
  const columns: Column<TimingRow>[] = [
    { label: 'Step', cell: ({ name }) => <span class="cell-title">{name}</span> },
    { label: 'Count', isNumber: true, isWideOnly: true, cell: ({ count }) => formatCount(count) },
    ...timingColumns,
  ];
  return (
    <section>
      <header class="section-head">
        <h2>Durations</h2>
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

/** The titles of the durations, by metric and by the value of its label. */
const DURATIONS: [
  metric: string,
  label: string,
  titles: Record<string, string>,
  longestBucketSeconds?: number,
][] = [
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
  ['event_loop_delay_seconds', '', { '': 'Delay of the event loop' }, 10],
];

/** Reads metrics by their names without the prefix `platen_`. */
class MetricReader {
  readonly #metrics: ReadonlyMap<string, Metric>;

  constructor(metrics: readonly Metric[]) {
    this.#metrics = new Map(metrics.map((metric) => [metric.name.replace(/^platen_/, ''), metric]));
  }

  /** Returns the sum of the values of a metric that have all given labels. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.#values(name)
      .filter((value) => Object.entries(labels).every(([label, text]) => value.labels[label] === text))
      .reduce((sum, { value = 0 }) => sum + value, 0);
  }

  timings(): TimingRow[] {
    return DURATIONS.flatMap(([metric, label, titles, longestBucketSeconds]) =>
      this.#values(metric)
        .filter(({ count = 0 }) => count > 0)
        .map((value) => ({
          ...timingOf(value, longestBucketSeconds),
          name: titles[value.labels[label] ?? ''] ?? metric,
        })),
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
        const ofRoute = faults.filter(({ labels }) => labels['route'] === name);
        return {
          ...timingOf(value),
          name,
          faults: ofRoute.reduce((sum, fault) => sum + (fault.value ?? 0), 0),
        };
      })
      .toSorted((a, b) => b.count - a.count)
      .slice(0, MAX_ROUTES);
  }

  #values(name: string): Metric['values'] {
    return this.#metrics.get(name)?.values ?? [];
  }
}

function timingOf(
  { count = 0, sum = 0, p50 = null, p95 = null }: Partial<Timing>,
  longestBucketSeconds = LONGEST_BUCKET_SECONDS,
): Omit<TimingRow, 'name'> {
  return { count, sum, p50, p95, longestBucketSeconds };
}

function secondsOf(seconds: number): string {
  return formatDuration(seconds * 1000);
}

/**
 * Formats the upper bound of a percentile. `null` means that the percentile is in the last bucket, which has
 * no upper bound.
 */
function boundOf(seconds: number | null, longestBucketSeconds: number): string {
  return seconds === null ? `over ${longestBucketSeconds} s` : secondsOf(seconds);
}
