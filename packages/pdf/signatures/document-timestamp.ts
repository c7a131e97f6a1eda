import { requirePermission, type Change } from '../edit/permission.ts';
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
} from '../objects/index.ts';
import { digest } from './algorithms.ts';
import { Asn1Fault } from './asn1.ts';
import { listFormFields } from './signature-fields.ts';

/** A document timestamp. Every DocMDP level allows it. */
const TIMESTAMP: Change = { level: 1, permission: 1 << 5, name: 'a timestamp', permits: 'annotations' };
/** The room for a token with the certificates of its authority. */
const TOKEN_BYTES = 12_288;
/** A name as long as the hexadecimal token, which appears nowhere else. */
const PLACEHOLDER = `PlatenTimestamp${'0'.repeat(2 * TOKEN_BYTES + 1 - 'PlatenTimestamp'.length)}`;
/** Numbers as long as the offsets of the largest file. */
const RANGES = [2_000_000_001, 2_000_000_002, 2_000_000_003];
/** The flags of the widget: print and locked (ISO 32000-1 table 165). PDF/A requires the first. */
const FLAGS = (1 << 2) | (1 << 7);
const SIGNATURES_EXIST = 1;
const APPEND_ONLY = 2;

/** A file with room for a timestamp. */
export interface PreparedTimestamp {
  pdf: Uint8Array;
  /** The part of the file that the token replaces, including its delimiters. */
  gap: { start: number; end: number };
  /** The SHA-256 digest of the rest of the file. */
  digest: Uint8Array;
}

/**
 * Appends a document timestamp without its token (ISO 32000-2 12.8.5). Existing signatures stay valid. Damaged files are
 * rewritten unless they are signed.
 * @throws {InputFault} if the permissions of the file forbid it
 */
export function prepareTimestamp(document: PdfDocument): PreparedTimestamp {
  const { signed } = requirePermission(document, TIMESTAMP);
  if (canAppend(document)) return placeToken(appendField(document), document.file.length);
  if (signed)
    throw new InputFault('pdf', 'is signed and damaged: rewriting it would invalidate the signature');
  const { catalog, version, compact } = document;
  const root = Ref.to(catalog);
  const rewritten = writePdf({ root, info: informationOf(document), version, compact });
  return placeToken(appendField(PdfDocument.open(rewritten)), rewritten.length);
}

/** Inserts the token into a prepared file. @throws {Asn1Fault} if the token is too long */
export function embedTimestamp({ pdf, gap }: PreparedTimestamp, token: Uint8Array): Uint8Array {
  if (token.length > TOKEN_BYTES) throw new Asn1Fault(`is longer than ${TOKEN_BYTES} bytes`);
  const written = Buffer.from(pdf);
  written.write(Buffer.from(token).toString('hex'), gap.start + 1, 'latin1');
  return written;
}

function appendField(document: PdfDocument): Buffer {
  const { catalog } = document;
  const [page] = readPages(document).pages;
  const pageRef = page && document.owns(page.ref) ? page.ref : undefined;
  const signature = Ref.to(
    Dict.of({
      Type: name('DocTimeStamp'),
      Filter: name('Adobe.PPKLite'),
      SubFilter: name('ETSI.RFC3161'),
      ByteRange: [0, ...RANGES],
      Contents: name(PLACEHOLDER),
    }),
  );
  const field = Ref.to(
    Dict.of({
      FT: name('Sig'),
      T: encodeText(freeName(document)),
      V: signature,
      Type: name('Annot'),
      Subtype: name('Widget'),
      Rect: [0, 0, 0, 0],
      F: FLAGS,
      // PDF/A-1 requires an appearance, even of a field without a size. After a certification without changes, pyHanko rejects it.
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

/** Replaces the placeholders of the token and of the byte ranges, which the update contains once. */
function placeToken(pdf: Buffer, updateStart: number): PreparedTimestamp {
  const start = pdf.indexOf(`/${PLACEHOLDER}`, updateStart, 'latin1');
  const ranges = RANGES.join(' ');
  const rangesAt = pdf.indexOf(ranges, updateStart, 'latin1');
  if (start < 0 || rangesAt < 0) throw new Error('the update has no room for a timestamp');
  const end = start + 2 * TOKEN_BYTES + 2;
  pdf.write(`${start} ${end} ${pdf.length - end}`.padEnd(ranges.length), rangesAt, 'latin1');
  pdf.write(`<${'0'.repeat(2 * TOKEN_BYTES)}>`, start, 'latin1');
  return { pdf, gap: { start, end }, digest: digest('sha256', pdf.subarray(0, start), pdf.subarray(end)) };
}

function freeName(document: PdfDocument): string {
  const used = new Set(listFormFields(document).map((field) => field.name));
  let number = 1;
  while (used.has(`Timestamp${number}`)) number += 1;
  return `Timestamp${number}`;
}
