import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const MAX_NICENESS = 19;
const OWN = getPriority();

/** The niceness of a process that works on a caller's content: the service, which answers everyone, goes first. */
export const NICE = Math.min(OWN + 5, MAX_NICENESS);

/** The niceness of a process whose task has run for a while: quick tasks go first. */
export const NICER = Math.min(OWN + 10, MAX_NICENESS);

/**
 * Sets the niceness of a process with all its threads. False when that is not permitted: lowering it again takes a privilege.
 * A process that is gone counts as done.
 */
export function setNiceness(pid: number, niceness: number): boolean {
  try {
    for (const thread of threadsOf(pid)) setPriority(Number(thread), niceness);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** On Linux each thread has a niceness of its own, and new threads inherit that of their creator. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [String(pid)];
  }
}
