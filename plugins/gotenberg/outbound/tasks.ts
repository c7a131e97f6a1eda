import { toPattern } from './pattern.ts';

// The functions in this file run in the sandbox.

/** A URL and the operator's patterns for it. */
export interface JudgedUrl {
  url: string;
  allow: readonly string[];
  deny: readonly string[];
}

/**
 * Whether a URL may be opened: `listed` if a pattern allows it by name, `allowed` if there are no patterns
 * that allow, `unlisted` if it matches none of them, `denied` if a pattern denies it.
 */
export type Verdict = 'listed' | 'allowed' | 'unlisted' | 'denied';

/** Matches a URL against patterns, which may take any time. */
export function judgeUrl({ url, allow, deny }: JudgedUrl): Verdict {
  const bareUrl = withoutCredentials(url);
  const denies = (pattern: string) => toPattern(pattern).test(url) || toPattern(pattern).test(bareUrl);
  if (deny.some(denies)) return 'denied';
  if (allow.length === 0) return 'allowed';
  // A user name could look like the host that the pattern means: http://files.internal@other.internal/.
  return allow.some((pattern) => toPattern(pattern).test(bareUrl)) ? 'listed' : 'unlisted';
}

/** Also removes the fragment, which is not part of a request. */
function withoutCredentials(url: string): string {
  const bare = new URL(url);
  [bare.username, bare.password, bare.hash] = ['', '', ''];
  return bare.href;
}
