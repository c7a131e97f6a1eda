import { NO_MATCH } from '../asn1/algorithms.ts';
import { checkIssued, KEY_USAGE, type Certificate } from './certificate.ts';

const MAX_LENGTH = 8;
/** The maximum number of certificate signatures to verify while searching for one path. */
const MAX_ATTEMPTS = 200;
/**
 * The maximum number of paths that are tried. Authorities that certify each other form exponentially many
 * paths.
 */
const MAX_STEPS = 1_000;

/** A certificate followed by its issuers. `isTrusted` tells whether the last is a trust root. */
export interface Path {
  certificates: readonly Certificate[];
  isTrusted: boolean;
}

/** The certificates of one verification. */
export class CertificatePool {
  readonly #roots: ReadonlySet<string>;
  readonly #bySubject = new Map<string, Certificate[]>();
  readonly #issued = new Map<string, boolean>();
  #attempts = 0;

  constructor(roots: readonly Certificate[], others: readonly Certificate[]) {
    this.#roots = new Set(roots.map(({ fingerprint }) => fingerprint));
    const seen = new Set<string>();
    // Roots come first, so that the search prefers the shortest path to a root.
    for (const each of [...roots, ...others]) {
      if (seen.has(each.fingerprint)) continue;
      seen.add(each.fingerprint);
      const list = this.#bySubject.get(each.subject);
      if (list) list.push(each);
      else this.#bySubject.set(each.subject, [each]);
    }
  }

  /** Finds the path from a certificate to a trust root, or else the longest path of issuers. */
  findPath(leaf: Certificate): Path {
    this.#attempts = 0;
    let longest: Certificate[] = [leaf];
    let steps = 0;
    const search = (path: Certificate[]): Certificate[] | undefined => {
      const last = path.at(-1);
      if (!last || this.#roots.has(last.fingerprint)) return path;
      if (path.length > longest.length) longest = path;
      steps += 1;
      if (steps > MAX_STEPS || path.length === MAX_LENGTH || isSelfIssued(last)) return undefined;
      for (const issuer of this.#issuersOf(last)) {
        if (path.includes(issuer)) continue;
        const found = search([...path, issuer]);
        if (found) return found;
      }
      return undefined;
    };
    const trusted = search([leaf]);
    return trusted ? { certificates: trusted, isTrusted: true } : { certificates: longest, isTrusted: false };
  }

  /**
   * Tells whether a certificate was altered: the pool has the issuer that its authority key identifier names,
   * but the issuer did not sign it.
   */
  isAltered(certificate: Certificate): boolean {
    const { authorityKeyId, issuer } = certificate;
    const issuers = (this.#bySubject.get(issuer) ?? []).filter(
      ({ keyId }) => authorityKeyId !== undefined && keyId === authorityKeyId,
    );
    return (
      issuers.length > 0 &&
      issuers.slice(0, MAX_LENGTH).every((each) => checkIssued(certificate, each) === NO_MATCH)
    );
  }

  #issuersOf(certificate: Certificate): Certificate[] {
    return (this.#bySubject.get(certificate.issuer) ?? []).filter((issuer) =>
      this.#isIssuedBy(certificate, issuer),
    );
  }

  #isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    const { authorityKeyId } = certificate;
    if (authorityKeyId !== undefined && issuer.keyId !== undefined && authorityKeyId !== issuer.keyId)
      return false;
    const key = `${certificate.fingerprint} ${issuer.fingerprint}`;
    const known = this.#issued.get(key);
    if (known !== undefined) return known;
    if (this.#attempts === MAX_ATTEMPTS) return false;
    this.#attempts += 1;
    const isIssued = checkIssued(certificate, issuer) === undefined;
    this.#issued.set(key, isIssued);
    return isIssued;
  }
}

/** Returns the known issuers of a certificate, from its direct issuer upwards. */
export function issuersOf(certificate: Certificate, known: readonly Certificate[]): readonly Certificate[] {
  return new CertificatePool([], known).findPath(certificate).certificates.slice(1);
}

/** Tells whether a certificate names itself as its issuer. */
export function isSelfIssued({ subject, issuer }: Certificate): boolean {
  return subject === issuer;
}

/**
 * Checks the certificates of a path at a given time (RFC 5280 6.1): validity, the right to issue
 * certificates, path length and critical extensions. Returns the faults as sentences.
 */
export function checkPath({ certificates, isTrusted }: Path, at: number): string[] {
  const faults: string[] = [];
  if (!isTrusted) {
    const last = certificates.at(-1);
    if (last)
      faults.push(
        isSelfIssued(last)
          ? `the certificate of ${last.name} is not among the trusted roots`
          : `the issuer of the certificate of ${last.name} is unknown`,
      );
  }
  for (const [index, each] of certificates.entries()) {
    const owner = `the certificate of ${each.name}`;
    if (at < each.notBefore) faults.push(`${owner} is not valid before ${date(each.notBefore)}`);
    if (at > each.notAfter) faults.push(`${owner} expired on ${date(each.notAfter)}`);
    if (each.unsupported.length > 0)
      faults.push(`${owner} has a critical extension that is not supported (${each.unsupported[0]})`);
    if (index === 0) continue;
    if (!each.isAuthority || !each.mayUse(KEY_USAGE.keyCertSign))
      faults.push(`${owner} is not allowed to issue certificates`);
    // Certificates that an authority issues to itself do not count.
    const below = certificates.slice(1, index).filter((authority) => !isSelfIssued(authority)).length;
    if (each.pathLength !== undefined && below > each.pathLength)
      faults.push(`${owner} is not allowed to issue certificates of further authorities`);
  }
  return faults;
}

/** Formats a time for messages. */
export function date(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
