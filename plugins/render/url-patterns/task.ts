import { RE2JS } from 're2js';

// The functions in this file run in the sandbox: a short pattern may take seconds to compile.

/** The instructions of a compiled pattern. The time to match is their number times the length of the URL. */
const MAX_PROGRAM_SIZE = 1_000;
/** Longer URLs are matched by their beginning. */
const MAX_URL_CHARACTERS = 2_048;

/** Why a pattern cannot be used, and its index. `syntax` is absent from one that is too complex. */
export interface PatternFault {
  index: number;
  syntax?: string;
}

/** Finds the first pattern that cannot be used. */
export function findFault({ patterns }: { patterns: readonly string[] }): PatternFault | null {
  for (const [index, pattern] of patterns.entries()) {
    try {
      if (RE2JS.compile(pattern).programSize() > MAX_PROGRAM_SIZE) return { index };
    } catch (error) {
      return { index, syntax: (error instanceof Error ? error.message : '').replace(/: `.*$/s, '') };
    }
  }
  return null;
}

/** Tells for each URL which patterns it matches. */
export function matchUrls({
  urls,
  patterns,
}: {
  urls: readonly string[];
  patterns: readonly string[];
}): boolean[][] {
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern));
  return urls.map((url) => {
    const start = url.slice(0, MAX_URL_CHARACTERS);
    return compiled.map((pattern) => pattern.matcher(start).find());
  });
}
