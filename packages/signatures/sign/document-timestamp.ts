import { requirePermission, type Change } from '@platen/pdf/edit';
import {
  appendUpdate,
  canAppend,
  claimedPdfa,
  Dict,
  encodeText,
  InputFault,
  informationOf,
  name,
  PdfDocument,
  PdfStream,
  readPages,
  Ref,
  writePdf,
  type Direct,
} from '@platen/pdf/objects';
import { Asn1Fault } from '../asn1/asn1.ts';
import { listFormFields } from '../verify/signature-fields.ts';
import {
  digestWithoutSignature,
  writeByteRange,
  reserveSignature,
  type SignaturePosition,
} from './reserved-signature.ts';

/** The change that a document timestamp makes. Every DocMDP level allows it. */
const TIMESTAMP: Change = { level: 1, permission: 1 << 5, name: 'a timestamp', permits: 'annotations' };
/** The number of bytes to reserve for a timestamp and the certificates of its authority. */
export const TIMESTAMP_BYTES = 12_288;
/** The flags of the widget: print and locked (ISO 32000-1 table 165). PDF/A requires the first. */
const FLAGS = (1 << 2) | (1 << 7);
const SIGNATURES_EXIST = 1;
const APPEND_ONLY = 2;

/** A file with space reserved for a timestamp. */
export interface PreparedTimestamp extends SignaturePosition {
  pdf: Uint8Array;
  /** The SHA-256 digest of the file without the timestamp. */
  digest: Uint8Array;
}

/**
 * Appends a document timestamp without its token (ISO 32000-2 12.8.5). Existing signatures stay valid.
 * Damaged files are rewritten unless they are signed.
 * @throws {InputFault} if the permissions of the file forbid it
 */
export function prepareTimestamp(document: PdfDocument): PreparedTimestamp {
  const { signed } = requirePermission(document, TIMESTAMP);
  if (canAppend(document)) return appendTimestamp(document);
  if (signed)
    throw new InputFault('pdf', 'is signed and damaged: rewriting it would invalidate the signature');
  const { catalog, version, compact } = document;
  const root = Ref.to(catalog);
  const rewritten = writePdf({ root, info: informationOf(document), version, compact });
  return appendTimestamp(PdfDocument.open(rewritten));
}

/** Inserts the token into a prepared file. @throws {Asn1Fault} if the token is too long */
export function embedTimestamp({ pdf, offset, digits }: PreparedTimestamp, token: Uint8Array): Uint8Array {
  if (2 * token.length > digits) throw new Asn1Fault(`is longer than ${TIMESTAMP_BYTES} bytes`);
  const written = Buffer.from(pdf);
  written.write(Buffer.from(token).toString('hex'), offset, 'latin1');
  return written;
}

function appendTimestamp(document: PdfDocument): PreparedTimestamp {
  const reserved = reserveSignature({
    type: 'DocTimeStamp',
    subFilter: 'ETSI.RFC3161',
    bytes: TIMESTAMP_BYTES,
  });
  const fileLength = document.file.length;
  const pdf = appendField(document, Ref.to(reserved.dict));
  const position = writeByteRange(pdf, reserved.mark, fileLength);
  return { pdf, ...position, digest: digestWithoutSignature(pdf, position, 'sha256') };
}

function appendField(document: PdfDocument, signature: Ref): Buffer {
  const { catalog } = document;
  const [page] = readPages(document).pages;
  const pageRef = page && document.owns(page.ref) ? page.ref : undefined;
  const field = Ref.to(
    Dict.of({
      FT: name('Sig'),
      T: encodeText(freeName(document)),
      V: signature,
      Type: name('Annot'),
      Subtype: name('Widget'),
      Rect: [0, 0, 0, 0],
      F: FLAGS,
      // PDF/A-1 requires an appearance, even for a field without a size. Other files have none, because
      // pyHanko rejects it after a certification that allows no changes.
      AP: claimedPdfa(document)?.startsWith('1') ? Dict.of({ N: Ref.to(emptyForm()) }) : undefined,
      P: pageRef,
    }),
  );
  const changed = new Map<Ref, Direct>();
  const form = catalog.dict('AcroForm') ?? new Dict();
  const newForm = form
    .copy()
    .set('Fields', [...(form.array('Fields') ?? []), field])
    .set('SigFlags', (form.number('SigFlags') ?? 0) | SIGNATURES_EXIST | APPEND_ONLY);
  const formRef = catalog.raw('AcroForm');
  const root = document.trailer.raw('Root');
  if (formRef instanceof Ref) changed.set(formRef, newForm);
  else if (root instanceof Ref) changed.set(root, catalog.copy().set('AcroForm', newForm));
  if (page && pageRef) {
    const annotations = [...(page.dict.array('Annots') ?? []), field];
    changed.set(pageRef, page.dict.copy().set('Annots', annotations));
  }
  return appendUpdate(document, changed);
}

function emptyForm(): PdfStream {
  const dict = Dict.of({ Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, 0, 0] });
  return new PdfStream(dict, new Uint8Array());
}

function freeName(document: PdfDocument): string {
  const used = new Set(listFormFields(document).map((field) => field.name));
  let number = 1;
  while (used.has(`Timestamp${number}`)) number += 1;
  return `Timestamp${number}`;
}
