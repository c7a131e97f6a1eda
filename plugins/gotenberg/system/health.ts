import type { Administration } from '../../../src/plugin.ts';

/** The state of a part, as github.com/alexliesenfeld/health writes it. */
interface Detail {
  status: 'up' | 'down';
  timestamp: string;
  error?: string;
}

/** The names of Gotenberg's modules for checks of this service. Other checks are shown only if they fail. */
const MODULES: Readonly<Record<string, string>> = { browser: 'chromium', office: 'libreoffice' };

/** Checks the service. It is down if it cannot serve requests, as `/readyz` says. */
export async function readHealth(
  administration: Pick<Administration, 'checkHealth'>,
): Promise<{ status: 'up' | 'down'; details: Readonly<Record<string, Detail>> }> {
  const states = Object.entries(await administration.checkHealth());
  const timestamp = new Date().toISOString();
  const details = states.flatMap(([name, { ok, isDegraded, text }]): [string, Detail][] => {
    const module = MODULES[name];
    if (ok || isDegraded) return module === undefined ? [] : [[module, { status: 'up', timestamp }]];
    return [[module ?? name, { status: 'down', timestamp, error: text }]];
  });
  const isUp = details.every(([, { status }]) => status === 'up');
  return { status: isUp ? 'up' : 'down', details: Object.fromEntries(details) };
}
