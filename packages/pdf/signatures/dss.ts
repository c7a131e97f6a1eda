import { decodeStream, Dict, PdfStream, resolve, type PdfDocument } from '../objects/index.ts';

/** The validation data in a document security store (ISO 32000-2 12.8.4.3), in DER. */
export interface SecurityStore {
  certificates: Uint8Array[];
  ocsps: Uint8Array[];
  crls: Uint8Array[];
}

/** The limits for the streams of a store. */
const MAX_STREAMS = 200;
const MAX_TOTAL_BYTES = 30_000_000;

/** Reads the security store of a document. Streams that cannot be read are left out. */
export function readSecurityStore(document: PdfDocument): SecurityStore {
  const dss = document.catalog.dict('DSS');
  let rest = MAX_TOTAL_BYTES;
  const read = (key: string): Uint8Array[] => {
    const found: Uint8Array[] = [];
    for (const item of (dss?.array(key) ?? []).slice(0, MAX_STREAMS)) {
      const stream = resolve(item);
      if (!(stream instanceof PdfStream)) continue;
      const bytes = decodeStream(stream, document.budget);
      if (!bytes || bytes.length > rest) continue;
      rest -= bytes.length;
      // A copy, because the bytes can be a view of the file.
      found.push(Uint8Array.from(bytes));
    }
    return found;
  };
  return dss instanceof Dict
    ? { certificates: read('Certs'), ocsps: read('OCSPs'), crls: read('CRLs') }
    : { certificates: [], ocsps: [], crls: [] };
}

/** Tells whether a document has revocation data in its security store. */
export function hasSecurityStore(document: PdfDocument): boolean {
  const dss = document.catalog.dict('DSS');
  return ['OCSPs', 'CRLs'].some((key) => (dss?.array(key) ?? []).length > 0);
}
