import {
  decodeInput,
  InputFault,
  PdfDocument,
  toAsyncResult,
  toResult,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import {
  Asn1Fault,
  inspectSignatures,
  readPem,
  verifySignatures,
  type Certificate,
  type Inspection,
  type RemoteResponse,
  type RemoteRequest,
  type VerifiedSignature,
} from '@platen/signatures';

/** Checks the integrity of the signatures of a PDF, and that `trust` contains certificates. */
export async function inspect({
  pdf,
  trust,
}: {
  pdf: PdfSource;
  trust: string | undefined;
}): Promise<Result<Inspection>> {
  const checked = toResult(() => {
    if (trust !== undefined) readTrust(trust);
  });
  if (!checked.ok) return checked;
  return toAsyncResult('pdf', () => inspectSignatures(PdfDocument.open(decodeInput(pdf, 'pdf'))));
}

/** Returns the requests for missing data, or the JSON of the response. */
export function verify({
  inspection,
  trustRoots,
  trust,
  answers,
  now,
}: {
  inspection: Inspection;
  trustRoots: readonly string[];
  trust: string | undefined;
  answers: readonly RemoteResponse[];
  now: number;
}): Result<{ requests: RemoteRequest[] } | { json: Uint8Array }> {
  return toResult(() => {
    const roots = [
      ...trustRoots.flatMap((pem) => readPem(pem)),
      ...(trust === undefined ? [] : readTrust(trust)),
    ];
    const result = verifySignatures(inspection, { roots, answers, now });
    if ('requests' in result) return result;
    const { signed, valid, signatures } = result;
    return { json: Buffer.from(JSON.stringify({ signed, valid, signatures: signatures.map(present) })) };
  });
}

function readTrust(pem: string): Certificate[] {
  try {
    return readPem(pem);
  } catch (error) {
    if (error instanceof Asn1Fault) throw new InputFault('trust', error.message);
    throw error;
  }
}

function present(signature: VerifiedSignature) {
  const { field, kind, signer, level, intact, trusted, timestamp, faults } = signature;
  return {
    field,
    kind,
    signer: signer?.name ?? null,
    level,
    intact,
    trusted,
    covers_whole_file: signature.coversWholeFile,
    signed_at: iso(signature.signedAt),
    timestamp: timestamp
      ? { time: iso(timestamp.time), authority: timestamp.authority ?? null, trusted: timestamp.trusted }
      : null,
    changes_after: signature.changesAfter,
    certificate: signer
      ? {
          subject: signer.subjectText,
          serial_number: signer.serial,
          not_before: iso(signer.notBefore),
          not_after: iso(signer.notAfter),
        }
      : null,
    problems: faults,
  };
}

function iso(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
