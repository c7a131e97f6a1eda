import { Asn1Fault, readable } from '../asn1/asn1.ts';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { crlStatus, readCrl, type RevocationList } from './crl.ts';
import { createOcspRequest, ocspStatus, readOcsp, type OcspResponse } from './ocsp.ts';
import { date, type Path } from '../certificates/path.ts';
import { remoteKey, type RemoteAnswer, type RemoteRequest } from './remote-data.ts';
import type { RevocationStatus } from './status.ts';

/** The requests for one verification. */
const MAX_REQUESTS = 24;
/** The addresses of one kind that are tried for one certificate. */
const MAX_ADDRESSES = 2;

/** The revocation data of one verification: from the file, and from answers to requests. */
export class RevocationData {
  readonly #ocsps: OcspResponse[];
  readonly #crls: RevocationList[];
  readonly #answers = new Map<string, RemoteAnswer>();
  readonly #needed = new Map<string, RemoteRequest>();

  constructor(
    embedded: { ocsps: readonly Uint8Array[]; crls: readonly Uint8Array[] },
    answers: readonly RemoteAnswer[],
  ) {
    this.#ocsps = embedded.ocsps.flatMap((der) => readable(() => readOcsp(der)));
    this.#crls = embedded.crls.flatMap((der) => readable(() => readCrl(der)));
    for (const answer of answers) this.#answers.set(remoteKey(answer.request), answer);
  }

  /** The requests whose answers are needed. */
  get needed(): RemoteRequest[] {
    return [...this.#needed.values()];
  }

  /** Returns the answer to a request, or notes that it is needed. */
  ask(request: RemoteRequest): RemoteAnswer | undefined {
    const key = remoteKey(request);
    const answer = this.#answers.get(key);
    if (answer) return answer;
    if (this.#answers.size + this.#needed.size >= MAX_REQUESTS)
      return { request, problem: 'was not asked, because the verification needs too many requests' };
    this.#needed.set(key, request);
    return undefined;
  }

  /** Returns what the file says about a certificate. */
  embedded(certificate: Certificate, issuer: Certificate): RevocationStatus[] {
    return [
      ...this.#ocsps.map((each) => ocspStatus(each, certificate, issuer)),
      ...this.#crls.map((each) => crlStatus(each, certificate, issuer)),
    ].filter((each) => each !== undefined);
  }

  /**
   * Checks that no certificate of a path was revoked at a time. Asks the addresses in the certificates if the file does not tell.
   * Returns the problems as sentences; they are final when nothing is needed.
   */
  check({ certificates }: Path, at: number): string[] {
    return certificates.slice(0, -1).flatMap((certificate, index) => {
      const issuer = certificates[index + 1];
      return issuer ? this.#checkOne(certificate, issuer, at) : [];
    });
  }

  #checkOne(certificate: Certificate, issuer: Certificate, at: number): string[] {
    const owner = `the certificate of ${certificate.name}`;
    const embedded = conclude(this.embedded(certificate, issuer), at);
    if (embedded === 'good') return [];
    if (typeof embedded === 'object') return [`${owner} was revoked on ${date(embedded.revokedAt)}`];
    const reasons: string[] = [];
    for (const request of requestsFor(certificate, issuer)) {
      const answer = this.ask(request);
      // The other addresses are asked only if this one does not tell.
      if (!answer) return [];
      const told = this.#read(answer, certificate, issuer);
      if ('problem' in told) {
        reasons.push(`${new URL(request.url).host} ${told.problem}`);
        continue;
      }
      const status = conclude([told.status], at);
      if (status === 'good') return [];
      if (typeof status === 'object') return [`${owner} was revoked on ${date(status.revokedAt)}`];
      reasons.push(
        told.status.status === 'invalid'
          ? told.status.problem
          : `${new URL(request.url).host} sent outdated data`,
      );
    }
    if (reasons.length === 0 && certificate.ocspUrls.length + certificate.crlUrls.length === 0) return [];
    return [`whether ${owner} was revoked could not be determined: ${reasons.join('; ')}`];
  }

  #read(
    { request, bytes, problem }: RemoteAnswer,
    certificate: Certificate,
    issuer: Certificate,
  ): { status: RevocationStatus } | { problem: string } {
    if (!bytes) return { problem: problem ?? 'sent nothing' };
    try {
      const status =
        request.kind === 'ocsp'
          ? ocspStatus(readOcsp(bytes), certificate, issuer)
          : crlStatus(readCrl(bytes), certificate, issuer);
      return status ? { status } : { problem: 'sent data about other certificates' };
    } catch (error) {
      if (!(error instanceof Asn1Fault)) throw error;
      return { problem: `sent data that ${error.message}` };
    }
  }
}

/** Fetches the certificates of missing issuers. Returns those that answers contain. */
export function findIssuers(certificate: Certificate, data: RevocationData): Certificate[] {
  return certificate.issuerUrls.slice(0, MAX_ADDRESSES).flatMap((url) => {
    const bytes = data.ask({ kind: 'certificate', url })?.bytes;
    return bytes ? readable(() => readCertificate(bytes)) : [];
  });
}

function requestsFor(certificate: Certificate, issuer: Certificate): RemoteRequest[] {
  const body = createOcspRequest(certificate, issuer);
  return [
    ...certificate.ocspUrls.slice(0, MAX_ADDRESSES).map((url) => ({ kind: 'ocsp' as const, url, body })),
    ...certificate.crlUrls.slice(0, MAX_ADDRESSES).map((url) => ({ kind: 'crl' as const, url })),
  ].filter(({ url }) => URL.canParse(url));
}

/** Draws the conclusion of statements for a time. A revocation counts from its time on; other statements until they are outdated. */
function conclude(
  statements: readonly RevocationStatus[],
  at: number,
): 'good' | 'unknown' | { revokedAt: number } {
  let isGood = false;
  for (const each of statements) {
    if (each.status === 'invalid') continue;
    if (each.status === 'revoked' && each.revokedAt <= at) return { revokedAt: each.revokedAt };
    if (each.until >= at) isGood = true;
  }
  return isGood ? 'good' : 'unknown';
}
