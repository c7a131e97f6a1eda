import { Asn1Fault, readIfValid } from '../asn1/asn1.ts';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { crlStatus, readCrl, type RevocationList } from './crl.ts';
import { createOcspRequest, ocspStatus, readOcsp, type OcspResponse } from './ocsp.ts';
import { date, type Path } from '../certificates/path.ts';
import { remoteKey, type RemoteResponse, type RemoteRequest } from './remote-data.ts';
import type { RevocationStatus } from './status.ts';

/** The maximum number of requests for one verification. */
const MAX_REQUESTS = 24;
/** The maximum number of addresses of one kind to try for one certificate. */
const MAX_ADDRESSES = 2;

/** The revocation data of one verification: from the file, and from answers to requests. */
export class RevocationData {
  readonly #ocsps: OcspResponse[];
  readonly #crls: RevocationList[];
  readonly #answers = new Map<string, RemoteResponse>();
  readonly #pending = new Map<string, RemoteRequest>();
  /** The outcomes for the certificates of responders, by fingerprint and time. */
  readonly #responders = new Map<string, Outcome>();

  constructor(
    embedded: { ocsps: readonly Uint8Array[]; crls: readonly Uint8Array[] },
    answers: readonly RemoteResponse[],
  ) {
    this.#ocsps = embedded.ocsps.flatMap((der) => readIfValid(() => readOcsp(der)));
    this.#crls = embedded.crls.flatMap((der) => readIfValid(() => readCrl(der)));
    for (const answer of answers) this.#answers.set(remoteKey(answer.request), answer);
  }

  /** The requests that have no answer yet. */
  get pendingRequests(): RemoteRequest[] {
    return [...this.#pending.values()];
  }

  /** Returns the answer to a request, or adds the request to {@link pendingRequests}. */
  ask(request: RemoteRequest): RemoteResponse | undefined {
    const key = remoteKey(request);
    const answer = this.#answers.get(key);
    if (answer) return answer;
    if (this.#answers.size + this.#pending.size >= MAX_REQUESTS)
      return { request, failure: 'was not asked, because the verification needs too many requests' };
    this.#pending.set(key, request);
    return undefined;
  }

  /** Returns the statements about a certificate in the revocation data of the file. */
  embedded(certificate: Certificate, issuer: Certificate): RevocationStatus[] {
    return [
      ...this.#ocsps.map((each) => ocspStatus(each, certificate, issuer)),
      ...this.#crls.map((each) => crlStatus(each, certificate, issuer)),
    ].filter((each) => each !== undefined);
  }

  /**
   * Checks that no certificate of a path was revoked at a given time. Asks the addresses in the certificates
   * if the data in the file is not conclusive. Returns the faults as sentences, which are final when
   * {@link pendingRequests} is empty.
   */
  check({ certificates }: Path, at: number): string[] {
    return certificates.slice(0, -1).flatMap((certificate, index) => {
      const issuer = certificates[index + 1];
      return issuer ? this.#checkOne(certificate, issuer, at) : [];
    });
  }

  #checkOne(certificate: Certificate, issuer: Certificate, at: number): string[] {
    const owner = `the certificate of ${certificate.name}`;
    const question = { certificate, issuer, at };
    const outcome = this.#find(question, requestsFor(certificate, issuer), (told) =>
      this.#checkResponder(told, question),
    );
    if (outcome === 'good' || outcome === 'pending') return [];
    if ('revokedAt' in outcome) return [`${owner} was revoked on ${date(outcome.revokedAt)}`];
    return isWithoutAddress(certificate, outcome) ? [] : [undetermined(owner, outcome)];
  }

  /**
   * Determines whether a certificate was revoked at a given time: from the file, or else from the addresses,
   * in order. `check` decides whether a statement counts.
   */
  #find(
    { certificate, issuer, at }: Question,
    requests: readonly RemoteRequest[],
    check: (told: RevocationStatus) => RevocationStatus | 'pending',
  ): Outcome {
    const embedded = conclude(this.embedded(certificate, issuer).map(check), at);
    if (embedded !== 'unknown') return embedded;
    const reasons: string[] = [];
    for (const request of requests) {
      const answer = this.ask(request);
      // Ask the other addresses only if this answer is not conclusive.
      if (!answer) return 'pending';
      const told = check(readResponse(answer, certificate, issuer));
      const outcome = conclude([told], at);
      if (outcome !== 'unknown') return outcome;
      const isInvalid = told !== 'pending' && told.status === 'invalid';
      reasons.push(isInvalid ? told.fault : `${hostOf(request)} sent outdated data`);
    }
    return { reasons };
  }

  /**
   * Checks that the responder of a statement was not revoked. A statement about the responder does not count
   * if a delegated responder signed it, because the responder could confirm itself. Accepts a responder
   * without addresses, like any other certificate.
   */
  #checkResponder(told: RevocationStatus, { issuer, at }: Question): RevocationStatus | 'pending' {
    const responder = told.status === 'invalid' ? undefined : told.responder;
    if (!responder) return told;
    const owner = `the certificate of the OCSP responder ${responder.name}`;
    const key = `${responder.fingerprint} ${at}`;
    // Ask for revocation lists first, because by OCSP the responder would answer about itself.
    const requests = requestsFor(responder, issuer).toReversed();
    const outcome =
      this.#responders.get(key) ??
      this.#find({ certificate: responder, issuer, at }, requests, (other) =>
        'responder' in other ? { status: 'invalid', fault: `${owner} cannot confirm itself` } : other,
      );
    this.#responders.set(key, outcome);
    if (outcome === 'pending') return outcome;
    if (outcome === 'good') return told;
    if ('revokedAt' in outcome)
      return { status: 'invalid', fault: `${owner} was revoked on ${date(outcome.revokedAt)}` };
    return isWithoutAddress(responder, outcome)
      ? told
      : { status: 'invalid', fault: undetermined(owner, outcome) };
  }
}

/** The question whether a certificate was revoked at a time. */
interface Question {
  certificate: Certificate;
  issuer: Certificate;
  at: number;
}

/**
 * The answer to a question. It is `pending` while requests are unanswered. `reasons` explain why the answer
 * could not be determined.
 */
type Outcome = 'good' | 'pending' | { revokedAt: number } | { reasons: string[] };

function undetermined(owner: string, { reasons }: { reasons: readonly string[] }): string {
  return `whether ${owner} was revoked could not be determined: ${reasons.join('; ')}`;
}

function isWithoutAddress(
  { ocspUrls, crlUrls }: Certificate,
  { reasons }: { reasons: readonly string[] },
): boolean {
  return reasons.length === 0 && ocspUrls.length + crlUrls.length === 0;
}

function hostOf({ url }: RemoteRequest): string {
  return new URL(url).host;
}

function readResponse(
  { request, bytes, failure }: RemoteResponse,
  certificate: Certificate,
  issuer: Certificate,
): RevocationStatus {
  const fail = (reason: string) => ({ status: 'invalid', fault: `${hostOf(request)} ${reason}` }) as const;
  if (!bytes) return fail(failure ?? 'sent nothing');
  try {
    const status =
      request.kind === 'ocsp'
        ? ocspStatus(readOcsp(bytes), certificate, issuer)
        : crlStatus(readCrl(bytes), certificate, issuer);
    return status ?? fail('sent data about other certificates');
  } catch (error) {
    if (!(error instanceof Asn1Fault)) throw error;
    return fail(`sent data that ${error.message}`);
  }
}

/** Requests the certificates of missing issuers. Returns the certificates that were already received. */
export function findIssuers(certificate: Certificate, data: RevocationData): Certificate[] {
  return certificate.issuerUrls.slice(0, MAX_ADDRESSES).flatMap((url) => {
    const bytes = data.ask({ kind: 'certificate', url })?.bytes;
    return bytes ? readIfValid(() => readCertificate(bytes)) : [];
  });
}

function requestsFor(certificate: Certificate, issuer: Certificate): RemoteRequest[] {
  const body = createOcspRequest(certificate, issuer);
  return [
    ...certificate.ocspUrls.slice(0, MAX_ADDRESSES).map((url) => ({ kind: 'ocsp' as const, url, body })),
    ...certificate.crlUrls.slice(0, MAX_ADDRESSES).map((url) => ({ kind: 'crl' as const, url })),
  ].filter(({ url }) => URL.canParse(url));
}

/**
 * Combines statements into a result for a given time. A revocation counts from its own time onwards, and any
 * other statement until it is outdated.
 */
function conclude(
  statements: readonly (RevocationStatus | 'pending')[],
  at: number,
): 'good' | 'unknown' | 'pending' | { revokedAt: number } {
  let isGood = false;
  for (const each of statements) {
    if (each === 'pending' || each.status === 'invalid') continue;
    if (each.status === 'revoked' && each.revokedAt <= at) return { revokedAt: each.revokedAt };
    if (each.until >= at) isGood = true;
  }
  if (statements.includes('pending')) return 'pending';
  return isGood ? 'good' : 'unknown';
}
