import { deflateSync } from 'node:zlib';
import {
  appendUpdate,
  canAppend,
  decodeStream,
  Dict,
  InputFault,
  name,
  PdfStream,
  Ref,
  resolve,
  type Direct,
  type PdfDocument,
} from '@platen/pdf/objects';

/** The validation data in a document security store (ISO 32000-2 12.8.4.3), in DER. */
export interface SecurityStore {
  certificates: Uint8Array[];
  ocsps: Uint8Array[];
  crls: Uint8Array[];
}

const KEYS = { certificates: 'Certs', ocsps: 'OCSPs', crls: 'CRLs' } as const;
const KINDS = ['certificates', 'ocsps', 'crls'] as const;

/** The maximum number of streams of each kind, and their maximum total size. */
const MAX_STREAMS = 200;
const MAX_TOTAL_BYTES = 30_000_000;

/** Reads the security store of a document. Skips streams that cannot be read. */
export function readSecurityStore(document: PdfDocument): SecurityStore {
  const store: SecurityStore = { certificates: [], ocsps: [], crls: [] };
  let remainingBytes = MAX_TOTAL_BYTES;
  for (const kind of KINDS)
    for (const item of (document.catalog.dict('DSS')?.array(KEYS[kind]) ?? []).slice(0, MAX_STREAMS)) {
      const stream = resolve(item);
      if (!(stream instanceof PdfStream)) continue;
      const bytes = decodeStream(stream, document.budget);
      if (!bytes || bytes.length > remainingBytes) continue;
      remainingBytes -= bytes.length;
      // Copy the bytes, because they can be a view of the file.
      store[kind].push(Uint8Array.from(bytes));
    }
  return store;
}

/** Tells whether a document has revocation data in its security store. */
export function hasSecurityStore(document: PdfDocument): boolean {
  const dss = document.catalog.dict('DSS');
  return ['OCSPs', 'CRLs'].some((key) => (dss?.array(key) ?? []).length > 0);
}

/**
 * Adds validation data to the security store of a signed file, in an incremental update. Skips data that the
 * store already has.
 * @throws {InputFault} if an update cannot be appended to the file
 */
export function addValidationData(document: PdfDocument, data: SecurityStore): Uint8Array {
  const root = document.trailer.raw('Root');
  if (!canAppend(document) || !(root instanceof Ref))
    throw new InputFault('pdf', 'is damaged: validation data cannot be added to it');
  const ref = document.catalog.raw('DSS');
  const store = document.catalog.dict('DSS')?.copy() ?? Dict.of({ Type: name('DSS') });
  const known = readSecurityStore(document);
  for (const kind of KINDS) {
    const seen = new Set(known[kind].map(textOf));
    const added = data[kind].filter((der) => {
      const isNew = !seen.has(textOf(der));
      seen.add(textOf(der));
      return isNew;
    });
    if (added.length === 0) continue;
    store.set(KEYS[kind], [...(store.array(KEYS[kind]) ?? []), ...added.map(streamOf)]);
  }
  const changed = new Map<Ref, Direct>();
  if (ref instanceof Ref && resolve(ref) instanceof Dict) changed.set(ref, store);
  else changed.set(root, document.catalog.copy().set('DSS', Ref.to(store)));
  return appendUpdate(document, changed);
}

function textOf(der: Uint8Array): string {
  return Buffer.from(der.buffer, der.byteOffset, der.length).toString('base64');
}

function streamOf(der: Uint8Array): Ref {
  return Ref.to(new PdfStream(Dict.of({ Filter: name('FlateDecode') }), deflateSync(der)));
}
