/** An escaped or quoted text, a class, a repetition, or any other character of a pattern in RE2 syntax. */
const TOKEN =
  /\\Q(?:[^\\]|\\[^E])*(?:\\E)?|\\[^]|\[\^?\]?(?:\[:\w+:\]|\\[^]|[^\]\\])*\]?|\{(\d{1,4})(?:,(\d{0,4}))?\}|[^]/g;

/**
 * Estimates the number of instructions of a regular expression in RE2 syntax without compiling it. Compiling
 * one such as `(?:a{30}){30}` takes time for each repetition, which its length does not show.
 */
export function patternSize(pattern: string): number {
  /** The sizes of the open groups, without the last term. */
  const sizes: number[] = [];
  let size = 0;
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    if (least !== undefined) {
      last *= Math.max(1, Number(most || least));
      continue;
    }
    size += last;
    last = token.startsWith(String.raw`\Q`) ? token.length : 1;
    if (token === '(') {
      sizes.push(size);
      [size, last] = [0, 0];
    } else if (token === ')') [size, last] = [sizes.pop() ?? 0, size + 2];
  }
  return sizes.reduce((sum, each) => sum + each, size + last);
}
