import { isForSigning, readCertificates, type Certificate } from '../certificates/certificate.ts';
import { contentOf, readCms, type CmsSignature } from '../cms/read-cms.ts';
import type { SecurityStore } from '../security-store.ts';
import type { InspectedSignature, Inspection } from './inspect.ts';
import { CertificatePool, checkPath, isSelfIssued, type Path } from '../certificates/path.ts';
import type { RemoteResponse, RemoteRequest } from '../revocation/remote-data.ts';
import type { SignatureLevel } from '../levels.ts';
import { findIssuers, RevocationData } from '../revocation/check.ts';
import { checkTimestamp, readTimestamp, type Timestamp } from '../cms/timestamp.ts';
import { readIfValid } from '../asn1/asn1.ts';

/** A verified signature. Times are epoch milliseconds. */
export interface VerifiedSignature {
  field: string;
  kind: InspectedSignature['kind'];
  signer: Certificate | undefined;
  level: SignatureLevel | null;
  intact: boolean;
  trusted: boolean;
  coversWholeFile: boolean;
  /** The time that the signer claims, or that the authority of a document timestamp confirms. */
  signedAt: number | undefined;
  /** The timestamp in the signature, if there is one. */
  timestamp: { time: number; authority: string | undefined; trusted: boolean } | undefined;
  changesAfter: InspectedSignature['later']['changes'];
  faults: string[];
}

/** The input of a verification in addition to the file. */
export interface VerificationInput {
  /** The trusted roots. */
  roots: readonly Certificate[];
  /** The answers to earlier requests. */
  answers: readonly RemoteResponse[];
  now: number;
}

/** The result of a verification, or the requests whose answers it needs. */
export type Verification =
  | { requests: RemoteRequest[] }
  | { signed: boolean; valid: boolean; signatures: VerifiedSignature[] };

/**
 * Decides whether the signatures of an inspected file can be trusted. Does no I/O: if revocation data or
 * certificates are missing, returns the requests for them, and the caller repeats the call with the answers.
 */
export function verifySignatures(inspection: Inspection, input: VerificationInput): Verification {
  const verifier = new Verifier(inspection, input);
  const signatures = verifier.run();
  if (verifier.data.pendingRequests.length > 0) return { requests: verifier.data.pendingRequests };
  const isValid = ({ intact, trusted, changesAfter, faults }: VerifiedSignature) =>
    intact && trusted && changesAfter !== 'not_allowed' && faults.length === 0;
  return {
    signed: signatures.length > 0,
    valid: signatures.length > 0 && signatures.every(isValid),
    signatures,
  };
}

/** A time at which the part of the file up to `end` existed. */
interface Proof {
  end: number;
  time: number;
  coversRevocation: boolean;
}

/**
 * Determines the levels of signatures, in the order of the inspection. The level of document timestamps, and
 * of signatures that are not PAdES, is `null`.
 */
export function levelsOf(inspection: Inspection): (SignatureLevel | null)[] {
  return new Verifier(inspection, { roots: [], answers: [], now: Date.now() })
    .run()
    .map(({ level }) => level);
}

class Verifier {
  readonly data: RevocationData;
  readonly #signatures: readonly InspectedSignature[];
  readonly #store: SecurityStore;
  readonly #input: VerificationInput;
  readonly #parsed = new Map<InspectedSignature, CmsSignature>();
  readonly #timestamps = new Map<CmsSignature, Timestamp[]>();
  readonly #certificates: Certificate[] = [];
  readonly #fetched: Certificate[] = [];
  #pool: CertificatePool;
  /** The revocation data in the security store, once it was read. */
  #stored: RevocationData | undefined;
  /**
   * The document timestamps found so far, trusted or not. Each proves the time of everything that it covers.
   */
  readonly #proofs: (Proof & { trusted: boolean })[] = [];

  constructor({ signatures, store }: Inspection, input: VerificationInput) {
    this.#signatures = signatures;
    this.#store = store;
    this.#input = input;
    const revocation = { ocsps: [...store.ocsps], crls: [...store.crls] };
    this.#certificates.push(...readCertificates(store.certificates));
    for (const each of signatures) {
      if (!each.cms) continue;
      const cms = readCms(each.cms);
      this.#parsed.set(each, cms);
      const tokens = cms.timestamps.flatMap((token) => readIfValid(() => readTimestamp(token)));
      this.#timestamps.set(cms, tokens);
      for (const part of [cms, ...tokens.map((token) => token.cms)]) {
        this.#certificates.push(...part.certificates);
        revocation.ocsps.push(...part.revocation.ocsps);
        revocation.crls.push(...part.revocation.crls);
      }
    }
    this.data = new RevocationData(revocation, input.answers);
    this.#pool = new CertificatePool(input.roots, this.#certificates);
  }

  run(): VerifiedSignature[] {
    const results = new Map<InspectedSignature, VerifiedSignature>();
    // Begin with the last signature, because a document timestamp proves the time of the signatures before
    // it.
    for (const each of this.#signatures.toReversed()) results.set(each, this.#verify(each));
    return this.#signatures.flatMap((each) => results.get(each) ?? []);
  }

  #verify(signature: InspectedSignature): VerifiedSignature {
    const cms = this.#parsed.get(signature);
    const { field, kind, intact, coversWholeFile, later, weakness } = signature;
    const common = { field, kind, intact, coversWholeFile, changesAfter: later.changes };
    const faults = [...signature.faults, ...later.faults];
    const nothing = {
      level: null,
      trusted: false,
      signedAt: signature.claimedAt,
      timestamp: undefined,
      signer: undefined,
    };
    if (!cms) return { ...common, ...nothing, faults };
    const { signer } = cms;
    faults.push(...this.#checkCertificates(cms));
    if (intact && weakness !== undefined) faults.push(weakness);
    const isStrong = weakness === undefined;
    const proven = Math.min(
      ...this.#proofs.filter((each) => each.trusted && each.end > signature.end).map(({ time }) => time),
      this.#input.now,
    );
    if (kind === 'document_timestamp') {
      const { time } = readTimestamp(signature.cms ?? new Uint8Array());
      const trust = intact && signer ? this.#checkTrust(signer, { at: proven, purpose: 'timestamp' }) : [];
      const trusted = intact && isStrong && signer !== undefined && trust.length === 0;
      faults.push(...trust);
      if (intact)
        this.#proofs.push({
          end: signature.end,
          time,
          coversRevocation: signature.coversRevocation,
          trusted,
        });
      return { ...common, ...nothing, trusted, signer, signedAt: time, faults };
    }
    const timestamp = intact ? this.#checkSignatureTimestamp(cms, proven, faults) : undefined;
    const at = timestamp?.trusted === true ? Math.min(proven, timestamp.time) : proven;
    const trust = intact && signer ? this.#checkTrust(signer, { at, purpose: 'signature' }) : [];
    faults.push(...trust);
    return {
      ...common,
      signer,
      trusted: intact && isStrong && signer !== undefined && trust.length === 0,
      level: intact ? this.#levelOf(signature, cms) : null,
      signedAt: cms.signingTime ?? signature.claimedAt,
      timestamp: timestamp && {
        time: timestamp.time,
        authority: timestamp.authority,
        trusted: timestamp.trusted,
      },
      faults,
    };
  }

  /**
   * Finds altered certificates. The signature does not cover the certificates that it includes, and
   * certificates outside the path are not verified elsewhere.
   */
  #checkCertificates(cms: CmsSignature): string[] {
    const tokens = (this.#timestamps.get(cms) ?? []).map((token) => token.cms);
    return [cms, ...tokens].some(
      ({ hasMalformed, certificates }) =>
        hasMalformed || certificates.some((each) => this.#pool.isAltered(each)),
    )
      ? ['the signature includes a certificate that was altered']
      : [];
  }

  /** Checks the first signature timestamp, and adds its faults to `faults`. */
  #checkSignatureTimestamp(cms: CmsSignature, at: number, faults: string[]): VerifiedSignature['timestamp'] {
    if (cms.timestamps.length === 0) return undefined;
    const [token] = this.#timestamps.get(cms) ?? [];
    if (!token) {
      faults.push('the signature timestamp is malformed');
      return undefined;
    }
    const fault = checkTimestamp(token, contentOf(cms.value));
    const { signer } = token.cms;
    const trust =
      fault !== undefined || !signer
        ? [`the signature timestamp ${fault ?? 'does not include the certificate of its signer'}`]
        : this.#checkTrust(signer, { at, purpose: 'timestamp' });
    faults.push(...trust);
    return { time: token.time, authority: signer?.name, trusted: trust.length === 0 };
  }

  /** Returns the reasons not to trust a certificate at a time, as sentences. */
  #checkTrust(
    certificate: Certificate,
    { at, purpose }: { at: number; purpose: 'signature' | 'timestamp' },
  ): string[] {
    const path = this.#findPath(certificate);
    const faults = checkPath(path, at);
    if (purpose === 'signature' && !isForSigning(certificate))
      faults.push(`the certificate of ${certificate.name} is not for signing documents`);
    // Fetch nothing for a certificate that is already not trusted.
    return faults.length > 0 ? faults : this.data.check(path, at);
  }

  /** Finds the path of a certificate. Requests missing issuers from the addresses in the certificates. */
  #findPath(certificate: Certificate): Path {
    for (;;) {
      const path = this.#pool.findPath(certificate);
      const last = path.certificates.at(-1);
      if (path.isTrusted || !last || isSelfIssued(last)) return path;
      const known = new Set(this.#fetched.map(({ fingerprint }) => fingerprint));
      const fresh = findIssuers(last, this.data).filter(({ fingerprint }) => !known.has(fingerprint));
      if (fresh.length === 0) return path;
      this.#fetched.push(...fresh);
      this.#pool = new CertificatePool(this.#input.roots, [...this.#certificates, ...this.#fetched]);
    }
  }

  /**
   * Determines the level from the parts of the signature, regardless of whether its certificates are trusted.
   */
  #levelOf(signature: InspectedSignature, cms: CmsSignature): SignatureLevel | null {
    const { signer } = cms;
    if (!signature.isPades || !cms.namesSigner || !signer) return null;
    const token = (this.#timestamps.get(cms) ?? []).find(
      (each) => checkTimestamp(each, contentOf(cms.value)) === undefined,
    );
    const later = this.#proofs.filter(({ end }) => end > signature.end);
    if (!token && later.length === 0) return 'b-b';
    const signers = [signer, ...(token?.cms.signer ? [token.cms.signer] : [])];
    if (!signers.every((each) => this.#hasRevocationData(each))) return 'b-t';
    return later.some(({ coversRevocation }) => coversRevocation) ? 'b-lta' : 'b-lt';
  }

  /**
   * Tells whether the security store has revocation data for every certificate of the path that has an issuer
   * and an address for such data.
   */
  #hasRevocationData(certificate: Certificate): boolean {
    const { ocsps, crls } = this.#store;
    if (ocsps.length + crls.length === 0) return false;
    this.#stored ??= new RevocationData({ ocsps, crls }, []);
    const stored = this.#stored;
    const { certificates } = this.#pool.findPath(certificate);
    return certificates.every((each, index) => {
      const issuer = certificates[index + 1];
      if (!issuer) return true;
      const hasAddress = each.ocspUrls.length + each.crlUrls.length > 0;
      return !hasAddress || stored.embedded(each, issuer).some(({ status }) => status !== 'invalid');
    });
  }
}
