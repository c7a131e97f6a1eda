import { readFileSync } from 'node:fs';

// The unit of the times in `/proc`, which Linux fixes for programs.
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time in seconds, of users and system, of the ended processes that this process and
 * its descendants have waited for; `undefined` on systems without `/proc`. The processes of a browser that end
 * after their browser are missing.
 */
export function processorSecondsOfChildren() {
  let stat;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, in parentheses, may contain spaces. The times are the fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
