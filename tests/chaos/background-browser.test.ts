import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { chromiumFlags } from '../../plugins/render/browser/chromium-flags.ts';
import { launchBrowser } from '../../plugins/render/browser/launch.ts';

const executablePath = findChromium() ?? '';
const canRun = process.platform === 'linux' && executablePath !== '' && Bun.which('chrt') !== null;
const sandbox = process.getuid?.() !== 0;

/** Lists the threads of the sessions that children of this process lead, with their scheduling classes (ps(1)). */
async function threadsOfBrowser(): Promise<{ command: string; policy: string; pid: string }[]> {
  const ps = Bun.spawn(['ps', '-eLo', 'sid=,pid=,ppid=,cls=,args=']);
  const rows = (await new Response(ps.stdout).text()).split('\n').map((line) => line.trim().split(/\s+/));
  const leaders = new Set(
    rows.filter(([sid, pid, ppid]) => sid === pid && ppid === String(process.pid)).map(([sid]) => sid),
  );
  return rows
    .filter(([sid]) => leaders.has(sid))
    .map(([, pid = '', , policy = '', ...args]) => ({ pid, policy, command: args.join(' ') }));
}

// Chromium raises the niceness of some of its threads when it may.
test.skipIf(!canRun)(
  'every thread of a browser in the background yields to other processes',
  async () => {
    const flags = chromiumFlags({ proxyUrl: 'http://127.0.0.1:9', sandbox });
    const launched = await launchBrowser({ executablePath, flags, inBackground: true });
    try {
      const page = await launched.browser.newPage();
      await page.setContent('<p>text</p>');
      const threads = await threadsOfBrowser();
      expect(threads.some(({ command }) => command.includes('--type=renderer'))).toBe(true);
      expect(threads.filter(({ policy }) => policy !== 'IDL')).toEqual([]);
      const [{ pid } = { pid: 'self' }] = threads;
      const autogroup = readAutogroup(pid);
      if (autogroup !== undefined) expect(autogroup).toEndWith('nice 19');
    } finally {
      await launched.close();
    }
  },
  60_000,
);

/** Returns the session's niceness (sched(7)), or `undefined` if the kernel has no autogroups. */
function readAutogroup(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'latin1').trim();
  } catch {
    return undefined;
  }
}
