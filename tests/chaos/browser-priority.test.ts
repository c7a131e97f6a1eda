import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chromiumFlags } from '../../plugins/render/browser/chromium-flags.ts';
import { FONT_CONFIG } from '../../plugins/render/browser/font-config.ts';
import { launchBrowser } from '../../plugins/render/browser/launch.ts';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';

const executablePath = findChromium() ?? '';
const canRun = existsSync('/proc/self/autogroup') && executablePath !== '';
const sandbox = process.getuid?.() !== 0;

/** Reads the niceness of the sessions (sched(7)) of the processes that are children of this one. */
function nicenessOfChildSessions(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
        const session = readFileSync(`/proc/${pid}/autogroup`, 'latin1');
        return parent === String(process.pid) ? [/nice (-?\d+)/.exec(session)?.[1] ?? ''] : [];
      } catch {
        // The process has ended.
        return [];
      }
    });
}

// With autogroups, the niceness of a process in another session has no effect.
test.skipIf(!canRun)(
  'the session of a browser with low priority has a low priority too',
  async () => {
    const flags = chromiumFlags({ proxyUrl: 'http://127.0.0.1:9', sandbox });
    const launched = await launchBrowser({ executablePath, flags, niceness: 19, fontConfig: FONT_CONFIG });
    try {
      expect(nicenessOfChildSessions()).toContain('10');
    } finally {
      await launched.close();
    }
  },
  60_000,
);
