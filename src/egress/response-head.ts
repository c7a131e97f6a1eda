import { withoutHopByHop, writeHead, type HeaderField } from './header-fields.ts';

/** Header that marks an answer as the guard's own. An origin's field of this name never reaches a client. */
export const egressHeader = 'x-platen-egress';

const egressFailures = [
  'malformed',
  'refused',
  'unresolvable',
  'unreachable',
  'timeout',
  'unanswered',
] as const;

/** Value of the {@link egressHeader}: why the guard itself answered. */
export type EgressFailure = (typeof egressFailures)[number];

/** Tells whether a header value is one that the guard sends. */
export function isEgressFailure(value: string | null): value is EgressFailure {
  return egressFailures.some((failure) => failure === value);
}

/** Longest accepted response head in bytes; Chromium's own limit is 256 KiB. */
export const maxResponseHeadBytes = 262_144;

/** A response head made ready for the client. */
export interface ResponseHead {
  /** An interim answer (1xx): another head follows. */
  interim: boolean;
  bytes: Buffer;
}

/**
 * Rewrites an origin's response head for the client: no hop-by-hop fields, no {@link egressHeader}, `Connection: close`.
 * Lenient where origins are sloppy (bare line feeds, lines that are no fields), since the connection carries one response and ends with it,
 * so no reading of the head can shift the border to another response. `undefined` when the text is no HTTP/1 head.
 */
export function rewriteResponseHead(head: string): ResponseHead | undefined {
  const [startLine = '', ...lines] = head.trimEnd().split(/\r?\n/);
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(startLine)?.[1];
  // Upgrade is never sent on, so an origin that switches protocols speaks to nobody.
  if (status === undefined || status === '101') return undefined;
  const fields: HeaderField[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0 && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(line.slice(0, colon))) {
      fields.push({
        name: line.slice(0, colon),
        value: line
          .slice(colon + 1)
          .replaceAll(/[\r\0]/g, ' ')
          .trim(),
      });
    }
  }
  const interim = status.startsWith('1');
  const chunked = fields.some(({ name }) => name.toLowerCase() === 'transfer-encoding');
  const kept = withoutHopByHop(fields).filter(({ name }) => {
    const lower = name.toLowerCase();
    // RFC 9112 6.3: Transfer-Encoding overrides Content-Length, and an intermediary removes the latter.
    return lower !== egressHeader && !(chunked && lower === 'content-length');
  });
  if (!interim) kept.push({ name: 'Connection', value: 'close' });
  return { interim, bytes: writeHead(startLine, kept) };
}

/** Finds the end of a head: the offset behind its empty line, or -1. */
export function endOfHead(bytes: Buffer): number {
  const strict = bytes.indexOf('\r\n\r\n');
  const bare = bytes.indexOf('\n\n');
  if (bare !== -1 && (strict === -1 || bare < strict)) return bare + 2;
  return strict === -1 ? -1 : strict + 4;
}
