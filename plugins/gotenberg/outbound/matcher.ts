import { RE2JS } from 're2js';
import { toPattern } from './pattern.ts';

/**
 * The longest time for a URL. JavaScriptCore gives up after a number of steps and then says that the text
 * does not match, which would allow a URL that a pattern denies. A million steps take about half a second.
 */
const MAX_MATCH_MS = 100;

/**
 * Returns a function that tells whether a pattern of the operator matches a URL: in linear time, except for
 * patterns that RE2 cannot express, such as those with lookaheads.
 * @param ifTooSlow the answer for a URL if the pattern takes too long
 */
export function toMatcher(pattern: string, { ifTooSlow }: { ifTooSlow: boolean }): (url: string) => boolean {
  const linear = compileLinear(pattern);
  if (linear) return (url) => linear.matcher(url).find();
  const backtracking = toPattern(pattern);
  return (url) => {
    const start = process.cpuUsage();
    const matches = backtracking.test(url);
    return process.cpuUsage(start).user > MAX_MATCH_MS * 1_000 ? ifTooSlow : matches;
  };
}

function compileLinear(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
