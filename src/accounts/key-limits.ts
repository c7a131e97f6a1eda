import { AppError, invalid } from '../errors.ts';
import { areWithin, readNetwork } from './networks.ts';
import { DEFAULT_SCOPES, SCOPES, scopesOf, type Scope } from './scopes.ts';

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

/** What a key may do, for how long, from where, and in which mode. */
export interface KeyLimits {
  /** `null` means all scopes except `keys` and `audit`. */
  scopes: readonly Scope[] | null;
  /** Epoch milliseconds; `null` for a key that does not expire. */
  expiresAt: number | null;
  /** Networks in canonical form; `null` for every address. */
  allowedIps: readonly string[] | null;
  /**
   * Whether documents that are made with the key are test documents: marked, short-lived, and without quota.
   */
  test: boolean;
}

/** The limits of a key whose creator names none. */
export const NO_LIMITS: KeyLimits = { scopes: null, expiresAt: null, allowedIps: null, test: false };

/** The fields of a request that limit a new key, as JSON has them. */
export interface KeyLimitValues {
  scopes?: readonly Scope[] | null;
  expires_at?: string | null;
  allowed_ips?: readonly string[] | null;
  test?: boolean;
}

/**
 * Reads the limits of a new key. A field that is absent is absent from the result.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
export function readKeyLimits({ scopes, expires_at, allowed_ips, test }: KeyLimitValues): Partial<KeyLimits> {
  return {
    ...(test !== undefined && { test }),
    ...(scopes !== undefined && { scopes: scopes && SCOPES.filter((scope) => scopes.includes(scope)) }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : readExpiry(expires_at) }),
    ...(allowed_ips !== undefined && { allowedIps: allowed_ips && readNetworks(allowed_ips) }),
  };
}

/** Returns the limits of a stored key without its other fields. Keys of release 0.1.0 have no limits. */
export function limitsOf({
  scopes = NO_LIMITS.scopes,
  expiresAt = NO_LIMITS.expiresAt,
  allowedIps = NO_LIMITS.allowedIps,
  test = NO_LIMITS.test,
}: Partial<KeyLimits>): KeyLimits {
  return { scopes, expiresAt, allowedIps, test };
}

/**
 * Returns the limits of a stored key as JSON has them. All descriptions of keys use this function, so that
 * they show every limit.
 */
export function presentKeyLimits(key: Partial<KeyLimits>): {
  scopes: Scope[];
  expires_at: string | null;
  allowed_ips: string[] | null;
  test: boolean;
} {
  const { expiresAt, allowedIps, test } = limitsOf(key);
  const has = scopesOf(key);
  return {
    scopes: SCOPES.filter((scope) => has.includes(scope)),
    expires_at: expiresAt === null ? null : toIso(expiresAt),
    allowed_ips: allowedIps && [...allowedIps],
    test,
  };
}

function readExpiry(text: string): number {
  const [, year, month, day] = TIMESTAMP.exec(text) ?? [];
  const time = Date.parse(text);
  // `Date.parse` reads February 30 as a day in March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (year === undefined || Number.isNaN(time) || !isDay)
    throw invalid('expires_at', 'must be a time with its time zone, such as 2027-01-31T00:00:00Z');
  if (time <= Date.now()) throw invalid('expires_at', 'must be in the future');
  return time;
}

function readNetworks(texts: readonly string[]): string[] {
  const networks = texts.map((text, index) => {
    const read = readNetwork(text);
    if ('fault' in read) throw invalid(`allowed_ips[${index}]`, read.fault);
    return read.network;
  });
  return [...new Set(networks)];
}

/**
 * Returns the limits of a key that another key creates. A limit that is not requested is that of the creator.
 * @throws {AppError} FORBIDDEN that names the field when the new key could do more than its creator
 */
export function limitsWithin(requested: Partial<KeyLimits>, creator: Partial<KeyLimits>): KeyLimits {
  const own = scopesOf(creator);
  const scopes = requested.scopes ?? DEFAULT_SCOPES.filter((scope) => own.includes(scope));
  if (scopes.length === 0)
    throw exceeds('scopes', 'is required, because the creating key has none of the default scopes');
  const foreign = scopes.find((scope) => !own.includes(scope));
  if (foreign !== undefined) throw exceeds('scopes', `contains "${foreign}", which the creating key lacks`);

  const { expiresAt: end = null, allowedIps: networks = null } = creator;
  const expiresAt = requested.expiresAt === undefined ? end : requested.expiresAt;
  if (end !== null && (expiresAt === null || expiresAt > end))
    throw exceeds('expires_at', `must not be later than the end of the creating key, ${toIso(end)}`);

  const allowedIps = requested.allowedIps === undefined ? networks : requested.allowedIps;
  if (networks !== null && (allowedIps === null || !areWithin(allowedIps, networks)))
    throw exceeds('allowed_ips', `must be within those of the creating key: ${networks.join(', ')}`);

  const test = requested.test ?? creator.test ?? false;
  if (creator.test && !test) throw exceeds('test', 'must be true, because the creating key is a test key');
  return { scopes, expiresAt, allowedIps, test };
}

function exceeds(path: string, message: string): AppError {
  return new AppError('FORBIDDEN', `${path}: ${message}`, { details: [{ path, message }] });
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
