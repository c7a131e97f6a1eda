import { forField, openInput, readPages, toResult, type PdfSource, type Result } from '@platen/pdf';
import {
  Asn1Fault,
  createTimestampRequest,
  embedTimestamp,
  prepareTimestamp,
  readTimestampResponse,
  type PreparedTimestamp,
  type TimestampRequest,
} from '@platen/signatures';

/** A file with space reserved for a timestamp, and the request for the timestamp. */
export interface PendingTimestamp {
  prepared: PreparedTimestamp;
  request: TimestampRequest;
  pages: number;
}

/** Reserves space for a document timestamp in a PDF, and creates the request for it. */
export function prepare({ pdf }: { pdf: PdfSource }): Result<PendingTimestamp> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      const prepared = prepareTimestamp(document);
      return { prepared, request: createTimestampRequest(prepared.digest), pages };
    });
  });
}

/**
 * Checks the response of the authority, and inserts the timestamp. Returns the fault if the response is
 * invalid or does not match the request.
 */
export function embed({
  prepared,
  request,
  answer,
}: Omit<PendingTimestamp, 'pages'> & { answer: Uint8Array }):
  | { pdf: Uint8Array; time: number }
  | { fault: string } {
  try {
    const { token, time } = readTimestampResponse(answer, request);
    return { pdf: embedTimestamp(prepared, token), time };
  } catch (error) {
    if (error instanceof Asn1Fault) return { fault: error.message };
    throw error;
  }
}
