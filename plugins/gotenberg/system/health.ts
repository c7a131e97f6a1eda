import type { Administration } from '../../../src/plugin.ts';

/** The state of a part, as github.com/alexliesenfeld/health writes it. */
interface Detail {
  status: 'up' | 'down';
  timestamp: string;
  error?: string;
}

/** The name of Gotenberg's module for a check of this service. Other checks are shown only if they fail. */
const MODULES: Readonly<Record<string, string>> = { browser: 'chromium' };

/**
 * Checks the service. It is down if it cannot serve requests, as `/readyz` says. LibreOffice has no process
 * between conversions, so it is up if it is installed.
 */
export async function readHealth(
  administration: Pick<Administration, 'checkHealth'>,
  { hasLibreOffice }: { hasLibreOffice: boolean },
): Promise<{ status: 'up' | 'down'; details: Readonly<Record<string, Detail>> }> {
  const states = Object.entries(await administration.checkHealth());
  const timestamp = new Date().toISOString();
  const details = states.flatMap(([name, { ok, isDegraded, text }]): [string, Detail][] => {
    const module = MODULES[name];
    if (ok || isDegraded) return module === undefined ? [] : [[module, { status: 'up', timestamp }]];
    return [[module ?? name, { status: 'down', timestamp, error: text }]];
  });
  if (hasLibreOffice) details.push(['libreoffice', { status: 'up', timestamp }]);
  const isUp = details.every(([, { status }]) => status === 'up');
  return { status: isUp ? 'up' : 'down', details: Object.fromEntries(details) };
}
