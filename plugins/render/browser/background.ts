import { spawn } from 'node:child_process';

/**
 * The programs that run a command with a low priority: nice(1), and chrt(1) for the policy SCHED_IDLE (sched(7)). Niceness alone is not
 * enough, because Chromium raises it for some of its threads when it may, as root. It does not change the policy.
 */
const NICE = ['nice', '-n', '19'];
const IDLE = ['chrt', '-i', '0'];

let idlePolicy: Promise<boolean> | undefined;

/** Returns the programs to put before a command so that it gets only the processor time that other processes leave. */
export async function backgroundCommand(): Promise<string[]> {
  idlePolicy ??= succeeds([...IDLE, ...NICE, 'true']);
  return (await idlePolicy) ? [...IDLE, ...NICE] : NICE;
}

/** Some systems have no chrt, and some containers forbid the policy. */
function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    spawn(program, args, { stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('exit', (code) => resolve(code === 0));
  });
}
