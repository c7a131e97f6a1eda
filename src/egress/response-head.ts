import { withoutHopByHop, writeHead, type HeaderField } from './header-fields.ts';

/**
 * The header that marks the guard's own answers. A field of this name from an origin never reaches a client.
 */
export const egressHeader = 'x-platen-egress';

const egressFailures = [
  'malformed',
  'refused',
  'unresolvable',
  'unreachable',
  'timeout',
  'unanswered',
] as const;

/** The value of {@link egressHeader}: the reason why the guard itself answered. */
export type EgressFailure = (typeof egressFailures)[number];

/** Tells whether a header value is an {@link EgressFailure}. */
export function isEgressFailure(value: string | null): value is EgressFailure {
  return egressFailures.some((failure) => failure === value);
}

/** The longest accepted response head in bytes; Chromium's own limit is 256 KiB. */
export const maxResponseHeadBytes = 262_144;

/** A response head for the client. */
interface ResponseHead {
  /** Whether the response is interim (1xx) and another head follows. */
  interim: boolean;
  bytes: Buffer;
}

/**
 * Rewrites an origin's response head for the client: removes hop-by-hop fields and {@link egressHeader} and
 * adds `Connection: close`. Tolerates bare line feeds and malformed lines: the connection carries only one
 * response, so response splitting is impossible. Returns `undefined` when the text is not an HTTP/1 head.
 */
export function rewriteResponseHead(head: string): ResponseHead | undefined {
  const [startLine = '', ...lines] = head.trimEnd().split(/\r?\n/);
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(startLine)?.[1];
  // The guard never forwards Upgrade, so 101 is invalid.
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

/** Returns the offset after the empty line of a head, or -1. */
export function endOfHead(bytes: Buffer): number {
  const strict = bytes.indexOf('\r\n\r\n');
  const bare = bytes.indexOf('\n\n');
  if (bare !== -1 && (strict === -1 || bare < strict)) return bare + 2;
  return strict === -1 ? -1 : strict + 4;
}
