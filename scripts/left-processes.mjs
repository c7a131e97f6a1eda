import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const INTERVAL_MS = 100;

/** A running process and its command line. */
/** @typedef {{ pid: number, command: string }} RunningProcess */

/**
 * Lists the processes whose command lines contain one of the given texts. Returns an empty list on systems
 * without `/proc`.
 * @param {readonly string[]} texts
 * @returns {RunningProcess[]}
 */
export function processesNaming(texts) {
  return listProcesses().filter(
    ({ pid, command }) => pid !== process.pid && texts.some((text) => command.includes(text)),
  );
}

/**
 * Waits until the processes that name one of the texts have ended, except for those that ran `before`. Kills
 * and returns the processes that still run after 20 s.
 * @param {readonly string[]} texts
 * @param {readonly RunningProcess[]} before
 * @returns {Promise<RunningProcess[]>}
 */
export async function endProcessesNaming(texts, before) {
  const known = new Set(before.map(({ pid }) => pid));
  const find = () => processesNaming(texts).filter(({ pid }) => !known.has(pid));
  const deadline = performance.now() + PATIENCE_MS;
  let left = find();
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(INTERVAL_MS);
    left = find();
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has just ended.
    }
  }
  return left;
}

/** @returns {RunningProcess[]} */
function listProcesses() {
  /** @type {string[]} */
  let entries;
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return entries.flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), command }];
    } catch {
      return [];
    }
  });
}
