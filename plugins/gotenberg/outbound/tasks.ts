import { toMatcher } from './matcher.ts';

// The functions in this file run in the sandbox.

/** URLs, and the operator's patterns for them. */
export interface JudgedUrls {
  urls: readonly string[];
  allow: readonly string[];
  deny: readonly string[];
}

/**
 * Whether a URL may be opened: `listed` if a pattern allows it by name, `allowed` if there are no patterns
 * that allow, `unlisted` if it matches none of them, `denied` if a pattern denies it.
 */
export type Verdict = 'listed' | 'allowed' | 'unlisted' | 'denied';

/** Matches URLs against patterns, which may take any time. */
export function judgeUrls({ urls, ...given }: JudgedUrls): Verdict[] {
  const allow = given.allow.map((pattern) => toMatcher(pattern, { ifTooSlow: false }));
  const deny = given.deny.map((pattern) => toMatcher(pattern, { ifTooSlow: true }));
  return urls.map((url) => {
    const bareUrl = withoutCredentials(url);
    if (deny.some((matches) => matches(url) || matches(bareUrl))) return 'denied';
    if (allow.length === 0) return 'allowed';
    // A user name could look like the host that the pattern means: http://files.internal@other.internal/.
    return allow.some((matches) => matches(bareUrl)) ? 'listed' : 'unlisted';
  });
}

/** Also removes the fragment, which is not part of a request. */
function withoutCredentials(url: string): string {
  const bare = new URL(url);
  [bare.username, bare.password, bare.hash] = ['', '', ''];
  return bare.href;
}
