import { inspectStructure } from '../verify/inspect.ts';
import { readPem } from '../certificates/certificate.ts';
import type { RemoteResponse, RemoteRequest } from '../revocation/remote-data.ts';
import { verifySignatures, type VerifiedSignature } from '../verify/verify.ts';
import { PdfDocument } from '@platen/pdf/objects';

/**
 * Verifies a file, without its pictures. `answer` takes the place of the network and returns the response to
 * a request, if any.
 */
export function verify(
  pdf: Uint8Array,
  {
    roots = '',
    answer = () => undefined as Uint8Array | undefined,
    now = Date.now(),
  }: {
    roots?: string;
    answer?: (request: RemoteRequest) => Uint8Array | undefined;
    now?: number;
  } = {},
) {
  const { inspection } = inspectStructure(PdfDocument.open(pdf));
  const answers: RemoteResponse[] = [];
  for (;;) {
    const result = verifySignatures(inspection, { roots: roots === '' ? [] : readPem(roots), answers, now });
    if (!('requests' in result))
      return { ...result, asked: answers.map(({ request }) => `${request.kind} ${request.url}`) };
    for (const request of result.requests) {
      const bytes = answer(request);
      answers.push(bytes ? { request, bytes } : { request, failure: 'could not be reached' });
    }
  }
}

/** Returns the first signature. @throws {Error} if the file is not signed */
export function first({ signatures }: { signatures: VerifiedSignature[] }): VerifiedSignature {
  const [signature] = signatures;
  if (!signature) throw new Error('there is no signature');
  return signature;
}
