import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const MAX_NICENESS = 19;
const SERVICE_NICENESS = getPriority();

/** The niceness of processes that work on a caller's content, so that the service has precedence. */
export const TASK_NICENESS = Math.min(SERVICE_NICENESS + 5, MAX_NICENESS);

/** The niceness of a process with a slow task, so that quick tasks have precedence. */
export const SLOW_TASK_NICENESS = Math.min(SERVICE_NICENESS + 14, MAX_NICENESS);

/**
 * Sets the niceness of all threads of a process. Returns false if this is not permitted, as for lowering the
 * niceness without a privilege. Returns true if the process has ended.
 */
export function setNiceness(pid: number, niceness: number): boolean {
  try {
    for (const thread of threadsOf(pid)) setPriority(Number(thread), niceness);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/**
 * Sets the niceness of a session, which the id of its leading process identifies. With autogroups (sched(7)),
 * which most distributions enable, the niceness of a process counts only within its session. Returns false if
 * the system refuses, as after another change within a tenth of a second without a privilege. Returns true on
 * systems without autogroups.
 */
export function setSessionNiceness(leader: number, niceness: number): boolean {
  try {
    writeFileSync(`/proc/${leader}/autogroup`, String(niceness));
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

/** On Linux each thread has its own niceness. New threads inherit it from their creator. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [String(pid)];
  }
}
