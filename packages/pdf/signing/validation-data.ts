import { deflateSync } from 'node:zlib';
import {
  appendUpdate,
  canAppend,
  Dict,
  InputFault,
  name,
  PdfStream,
  Ref,
  resolve,
  type Direct,
  type PdfDocument,
} from '../objects/index.ts';
import { readSecurityStore, type SecurityStore } from '../signatures/dss.ts';

const KEYS = { certificates: 'Certs', ocsps: 'OCSPs', crls: 'CRLs' } as const;

/**
 * Adds validation data to the document security store of a signed file (ISO 32000-2 12.8.4.3), in an incremental update. Data that the store
 * has is not added again.
 * @throws {InputFault} if an update cannot be appended to the file
 */
export function addValidationData(document: PdfDocument, data: SecurityStore): Uint8Array {
  const root = document.trailer.raw('Root');
  if (!canAppend(document) || !(root instanceof Ref))
    throw new InputFault('pdf', 'is damaged: validation data cannot be added to it');
  const ref = document.catalog.raw('DSS');
  const store = document.catalog.dict('DSS')?.copy() ?? Dict.of({ Type: name('DSS') });
  const known = readSecurityStore(document);
  for (const kind of ['certificates', 'ocsps', 'crls'] as const) {
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
