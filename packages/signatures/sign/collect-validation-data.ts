import { readCertificates, readPem, type Certificate } from '../certificates/certificate.ts';
import type { SecurityStore } from '../security-store.ts';
import { CertificatePool } from '../certificates/path.ts';
import type { RemoteResponse, RemoteRequest } from '../revocation/remote-data.ts';
import { findIssuers, RevocationData } from '../revocation/check.ts';
import { readTimestamp } from '../cms/timestamp.ts';

/** The input of {@link collectValidationData}. */
export interface CollectionRequest {
  /** The certificates of the signer and of its issuers, in DER, the signer's first. */
  certificates: readonly Uint8Array[];
  /** The timestamp of the signature, in DER. */
  timestamp: Uint8Array;
  /** Other certificates that may be issuers, in PEM. */
  roots: readonly string[];
  /** The answers to earlier requests. */
  answers: readonly RemoteResponse[];
  /** Epoch milliseconds. */
  now: number;
}

/** The start of each fault that a failed responder causes. */
const UNDETERMINED = 'whether ';

/**
 * Collects the data for the later validation of a signature (ETSI EN 319 142-1, level B-LT): the certificates
 * of the signer and of the timestamp up to their roots, and proof that none was revoked. Returns requests for
 * missing data, the complete data, or the faults. Faults are temporary if failed responders are their
 * only cause.
 */
export function collectValidationData({
  certificates,
  timestamp,
  roots,
  answers,
  now,
}: CollectionRequest):
  | { requests: RemoteRequest[] }
  | { data: SecurityStore }
  | { faults: string[]; isTemporary: boolean } {
  const { cms } = readTimestamp(timestamp);
  const [signer] = readCertificates(certificates.slice(0, 1));
  const issuers = readCertificates(certificates.slice(1));
  if (!signer) return { faults: ['the certificate of the signer is malformed'], isTemporary: false };
  if (!cms.signer)
    return { faults: ['the timestamp has no certificate of its authority'], isTemporary: false };
  const revocation = new RevocationData({ ocsps: [], crls: [] }, answers);
  const known = [...issuers, ...cms.certificates, ...roots.flatMap((pem) => readPem(pem))];
  const faults: string[] = [];
  const used = new Map<string, Certificate>();
  for (const leaf of [signer, cms.signer]) {
    const path = extendPath(leaf, known, revocation);
    const last = path.at(-1);
    if (last && last.subject !== last.issuer && revocation.pendingRequests.length === 0)
      faults.push(`the issuer of the certificate of ${last.name} is unknown`);
    faults.push(...path.slice(0, -1).flatMap(withoutAddress));
    faults.push(...revocation.check({ certificates: path, isTrusted: true }, now));
    for (const each of path) used.set(each.fingerprint, each);
  }
  if (revocation.pendingRequests.length > 0) return { requests: revocation.pendingRequests };
  if (faults.length > 0)
    return {
      faults: [...new Set(faults)],
      isTemporary: faults.every((each) => each.startsWith(UNDETERMINED)),
    };
  const received = (kind: RemoteRequest['kind']) =>
    answers.flatMap(({ request, bytes }) => (request.kind === kind && bytes ? [bytes] : []));
  return {
    data: {
      certificates: [...used.values()].map(({ der }) => der),
      ocsps: received('ocsp'),
      crls: received('crl'),
    },
  };
}

/** Finds the path of a certificate. Requests the certificates of missing issuers. */
function extendPath(
  leaf: Certificate,
  known: readonly Certificate[],
  revocation: RevocationData,
): readonly Certificate[] {
  let path = new CertificatePool([], [leaf, ...known]).findPath(leaf).certificates;
  for (;;) {
    const last = path.at(-1);
    if (!last || last.subject === last.issuer) return path;
    const longer = new CertificatePool([], [...path, ...known, ...findIssuers(last, revocation)]).findPath(
      leaf,
    );
    if (longer.certificates.length <= path.length) return path;
    path = longer.certificates;
  }
}

function withoutAddress({ name, ocspUrls, crlUrls }: Certificate): string[] {
  if (ocspUrls.length + crlUrls.length > 0) return [];
  return [`the certificate of ${name} has no address of an OCSP responder or of a revocation list`];
}
