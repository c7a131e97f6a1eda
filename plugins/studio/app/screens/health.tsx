import { get } from '../data/api.ts';
import { formatCountOf, formatDuration } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../ui/controls.tsx';
import { Loaded, Status, ViewHead } from '../ui/states.tsx';

interface Health {
  status: string;
  version: string;
  uptime_seconds: number;
  parts: { name: string; ok: boolean; text: string }[];
}

/** The titles and purposes of the parts of the service. */
const PARTS: Record<string, [title: string, purpose: string]> = {
  store: ['Database', 'Accounts, templates and history'],
  files: ['File storage', 'PDFs and assets'],
  sandbox: ['Sandbox', 'Compiles templates and works on PDFs'],
  egress: ['Egress guard', 'Checks every request of documents and webhooks'],
  browser: ['Browser', 'Prints documents'],
};

export function HealthView() {
  const health = useResource('health', (signal) => get<Health>('/studio/api/health', signal));
  return (
    <div class="page narrow">
      <ViewHead title="Health" text="Platen has just checked each part of this server.">
        <Button icon="refresh" onClick={health.reload} isBusy={health.isLoading}>
          Check again
        </Button>
      </ViewHead>
      <Loaded from={health}>
        {({ status, version, uptime_seconds, parts }) => (
          <>
            <section class="figures" aria-label="Service">
              <div class="figure">
                <span>Service</span>
                <strong>{status === 'ready' ? 'Ready' : 'Not ready'}</strong>
                <small>version {version}</small>
              </div>
              <div class="figure">
                <span>Running for</span>
                <strong>{uptimeOf(uptime_seconds)}</strong>
                <small>since its last start</small>
              </div>
            </section>
            <section>
              <ul class="panel rows" aria-label="Parts">
                {parts.map(({ name, ok, text }) => {
                  const [title, purpose] = PARTS[name] ?? [name, ''];
                  return (
                    <li key={name}>
                      <span>
                        <span class="cell-title">{title}</span>
                        <span class="cell-sub">{[purpose, text].filter(Boolean).join(': ')}</span>
                      </span>
                      <Status value={ok ? 'ready' : 'failed'} />
                    </li>
                  );
                })}
              </ul>
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}

function uptimeOf(seconds: number): string {
  if (seconds < 60) return formatDuration(seconds * 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.floor(seconds / 3600)} h`
    : formatCountOf(Math.floor(seconds / 86_400), 'day');
}
