import type { Metrics } from '../../../src/plugin.ts';

/**
 * Gotenberg's metrics, and those of this service of which each is the sum. LibreOffice has none: each
 * document has a process of its own.
 */
const METRICS: readonly { name: string; help: string; sources: readonly string[] }[] = [
  {
    name: 'chromium_requests_queue_size',
    help: 'Current number of Chromium conversion requests waiting to be treated.',
    sources: ['platen_render_queue_depth'],
  },
  {
    name: 'chromium_restarts_count',
    help: 'Current number of Chromium restarts.',
    sources: ['platen_browser_recycles_total'],
  },
  {
    name: 'libreoffice_requests_queue_size',
    help: 'Current number of LibreOffice conversion requests waiting to be treated.',
    sources: [],
  },
  {
    name: 'libreoffice_restarts_count',
    help: 'Current number of LibreOffice restarts.',
    sources: [],
  },
];

/** Writes Gotenberg's metrics in the text format of Prometheus. */
export async function writeMetrics(metrics: Pick<Metrics, 'read'>, namespace: string): Promise<string> {
  const readings = new Map((await metrics.read()).map((reading) => [reading.name, reading]));
  const sumOf = (source: string) =>
    (readings.get(source)?.values ?? []).reduce(
      (sum, value) => sum + ('value' in value ? value.value : 0),
      0,
    );
  const lines = METRICS.flatMap(({ name, help, sources }) => {
    const full = `${namespace}_${name}`;
    const value = sources.reduce((sum, source) => sum + sumOf(source), 0);
    return [`# HELP ${full} ${help}`, `# TYPE ${full} gauge`, `${full} ${value}`];
  });
  return `${lines.join('\n')}\n`;
}
