import {
  Dict,
  encodeText,
  geometryOf,
  informationOf,
  InputFault,
  name,
  PdfDocument,
  pickPage,
  PdfStream,
  placeOn,
  readPages,
  Ref,
  resolve,
  uprightMatrix,
  writePdf,
  canAppend,
  formXObjectOfPage,
  type Direct,
  type Page,
  type PlacedBox,
} from '@platen/pdf/objects';
import { pageTreeOf } from '@platen/pdf/edit';
import { saveWithWidgets } from '@platen/pdf/forms';
import { tagWidgets } from '@platen/pdf/forms';
import { readForm, type Form } from '@platen/pdf/forms';
import { CERTIFICATION_LEVELS, requireRightToSign, type Certification } from './permission.ts';
import {
  writeByteRange,
  reserveSignature,
  type ReservedSignature,
  type SignaturePosition,
} from './reserved-signature.ts';
import { addToTree, chooseField, type ChosenField } from './signature-field.ts';

/** The visible appearance of a signature. */
export interface SignatureAppearance {
  /** The zero-based page index, and the box on the page. An existing field keeps its page and box. */
  page: unknown;
  box: PlacedBox;
  /**
   * A PDF that shows the signature in the upper left corner of its first page, and the size of the signature
   * in points.
   */
  drawn: { pdf: Uint8Array; width: number; height: number };
}

/** A signature to prepare. */
export interface SignatureRequest {
  /**
   * The name of an unsigned signature field, or of a new field if the file has no unsigned one. By default, a
   * new field gets a free name.
   */
  field?: string | undefined;
  /** Absent for an invisible signature. */
  appearance?: SignatureAppearance | undefined;
  /** The name of the signer. */
  signer: string;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
  /** The time of signing in epoch milliseconds. */
  at: number;
  certify?: Certification | undefined;
  reservedBytes: number;
}

/** A file with an empty signature. */
export interface PreparedSignature extends SignaturePosition {
  pdf: Buffer;
  pages: number;
  /** The name of the signature field. */
  field: string;
}

const SIGNATURES_EXIST = 1;
const APPEND_ONLY = 1 << 1;
// ISO 32000-1 table 165.
const PRINT = 1 << 2;
const LOCKED = 1 << 7;
const HIDDEN = (1 << 1) | (1 << 5);

/**
 * Adds an empty signature to a file. Appends an incremental update, so earlier signatures stay valid. A
 * damaged file is rewritten first, unless it is signed. The document must not be used afterwards.
 * @throws {InputFault} if a signature or the permissions of an encrypted file forbid the signature
 */
export function prepareSignature(given: PdfDocument, request: SignatureRequest): PreparedSignature {
  const { document, form } = openForUpdate(given);
  const { appearance, certify } = request;
  const field = chooseField(form, request.field);
  const isVisible = appearance !== undefined;
  const isNew = !field.existing;
  const signed = requireRightToSign(document, form, { certify, field: field.name, isNew, isVisible });

  const { dict: signatureDict, mark } = signatureDictionary(request);
  const signature = Ref.to(signatureDict);
  const changed = new Map<Ref, Direct>();
  const added = field.existing
    ? fillField(field.existing, { pages: form.pages, appearance, signature, changed })
    : addField(document, { form, name: field.name, request, signature, changed, signed });
  const catalog = updateCatalog(document, {
    dict: added?.form ?? form.dict?.copy() ?? new Dict(),
    changed,
    certification: certify && signature,
  });
  const widgets = added ? [added.widget] : [];
  const fileLength = document.file.length;
  const pdf = Buffer.from(
    saveWithWidgets(document, { pages: form.pages, changed, catalog, widgets, appendOnly: true }),
  );
  return { pdf, pages: form.pages.length, field: field.name, ...writeByteRange(pdf, mark, fileLength) };
}

/**
 * Prepares a file for an update. Rewrites a file that is damaged, uses a page twice or has bytes before its
 * header, unless it is signed or encrypted.
 */
function openForUpdate(document: PdfDocument): { document: PdfDocument; form: Form } {
  const form = readForm(document);
  const { pages } = form;
  const isPlain = canAppend(document) && document.file.length === document.bytes.length;
  const repeats =
    new Set(pages.map(({ dict }) => dict)).size < pages.length || pages.some(({ ref }) => ref.number === 0);
  const hasSignature = form.fields.some(
    (field) => field.kind === 'signature' && field.get('V') instanceof Dict,
  );
  if (isPlain && !repeats) return { document, form };
  if (hasSignature || document.encrypted) {
    if (canAppend(document)) return { document, form };
    throw new InputFault('pdf', 'is damaged, and cannot be repaired because it is signed or encrypted');
  }
  const pdf = writePdf({
    root: Ref.to(document.catalog.copy().set('Pages', pageTreeOf({ all: pages, changed: new Map() }))),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
  const clean = PdfDocument.open(pdf);
  return { document: clean, form: readForm(clean) };
}

function signatureDictionary(request: SignatureRequest): ReservedSignature {
  const { signer, reason, location, contact, at, certify, reservedBytes: bytes } = request;
  const text = (value: string | undefined) => (value ? encodeText(value) : undefined);
  return reserveSignature(
    { type: 'Sig', subFilter: 'ETSI.CAdES.detached', bytes },
    {
      M: encodeText(pdfDate(at)),
      Name: text(signer),
      Reason: text(reason),
      Location: text(location),
      ContactInfo: text(contact),
      Reference: certify && [certification(certify)],
    },
  );
}

function pdfDate(at: number): string {
  return `D:${new Date(at).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
}

/** Creates the reference that certifies a document (ISO 32000-2 12.8.2.2). */
function certification(certify: Certification): Dict {
  const parameters = { Type: name('TransformParams'), P: CERTIFICATION_LEVELS[certify], V: name('1.2') };
  return Dict.of({
    Type: name('SigRef'),
    TransformMethod: name('DocMDP'),
    TransformParams: Dict.of(parameters),
  });
}

/** Puts a signature into a field of the file. */
function fillField(
  { node, widget }: NonNullable<ChosenField['existing']>,
  {
    pages,
    appearance,
    signature,
    changed,
  }: {
    pages: readonly Page[];
    appearance: SignatureAppearance | undefined;
    signature: Ref;
    changed: Map<Ref, Direct>;
  },
): undefined {
  const dict = node.dict.copy().set('V', signature);
  changed.set(node.ref, dict);
  const page = widget?.page === undefined ? undefined : pages[widget.page];
  if (!widget || !page) return;
  const target = widget.ref === node.ref ? dict : widget.dict.copy();
  target.set('F', ((target.number('F') ?? 0) | PRINT | LOCKED) & ~HIDDEN);
  if (appearance && widget.rect) target.set('AP', Dict.of({ N: drawAppearance(page, appearance) }));
  changed.set(widget.ref, target);
}

/**
 * Adds a field with a signature. Returns its widget and the form with the field; all other changes are in
 * `changed`.
 */
function addField(
  document: PdfDocument,
  {
    form,
    name: fieldName,
    request: { appearance, signer },
    signature,
    changed,
    signed,
  }: {
    form: Form;
    name: string;
    request: SignatureRequest;
    signature: Ref;
    changed: Map<Ref, Direct>;
    signed: boolean;
  },
): { widget: { page: Page; ref: Ref }; form: Dict } {
  const page = pickPage(form.pages, appearance?.page ?? 0);
  const dict = Dict.of({
    Type: name('Annot'),
    Subtype: name('Widget'),
    FT: name('Sig'),
    TU: encodeText(`Signature of ${signer}`),
    F: PRINT | LOCKED,
    P: page.ref,
    // An invisible signature has a rectangle without area (ISO 32000-2 12.7.5.5).
    Rect: appearance ? [...placeOn(page, appearance.box).rect] : [0, 0, 0, 0],
    AP: Dict.of({ N: appearance ? drawAppearance(page, appearance) : emptyAppearance() }),
    V: signature,
  });
  const ref = Ref.to(dict);
  const tree = addToTree(form, { name: fieldName, ref, dict });
  for (const [node, value] of tree.changed) changed.set(node, value);
  const widgets = [{ page, ref, widget: { dict, ref, page: undefined, rect: undefined } }];
  // Validators treat a change to the structure tree as a change to the signed content.
  const structure = signed
    ? []
    : tagWidgets(document.catalog, [{ name: fieldName, ref, dict, text: '', widgets }]);
  for (const [element, value] of structure) changed.set(element, value);
  return { widget: { page, ref }, form: (form.dict?.copy() ?? new Dict()).set('Fields', tree.fields) };
}

function drawAppearance(page: Page, { drawn }: SignatureAppearance): Ref {
  const document = PdfDocument.open(drawn.pdf);
  const [drawnPage] = readPages(document).pages;
  if (!drawnPage) throw new Error('the appearance of the signature has no page');
  const { height } = geometryOf(drawnPage);
  const area = [0, height - drawn.height, drawn.width, height] as const;
  return formXObjectOfPage(document, drawnPage, { box: area, matrix: uprightMatrix(page) });
}

function emptyAppearance(): Ref {
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, 0, 0],
    Resources: new Dict(),
  });
  return Ref.to(new PdfStream(dict, new Uint8Array()));
}

/** Updates the form and the permissions. Returns the catalog if it changes. */
function updateCatalog(
  { catalog }: PdfDocument,
  {
    dict,
    changed,
    certification: signature,
  }: { dict: Dict; changed: Map<Ref, Direct>; certification: Ref | undefined },
): Dict | undefined {
  dict.set('SigFlags', (dict.number('SigFlags') ?? 0) | SIGNATURES_EXIST | APPEND_ONLY);
  const ref = catalog.raw('AcroForm');
  const isObject = ref instanceof Ref && resolve(ref) instanceof Dict;
  if (isObject) changed.set(ref, dict);
  if (isObject && !signature) return undefined;
  const copy = catalog.copy();
  if (!isObject) copy.set('AcroForm', Ref.to(dict));
  if (signature) {
    // Usage rights apply to the original file.
    const permissions = catalog.dict('Perms')?.copy() ?? new Dict();
    copy.set('Perms', permissions.delete('UR', 'UR3').set('DocMDP', signature));
  }
  return copy;
}

/**
 * Finds an empty signature field by its name. Returns its size on the page in points; `undefined` for an
 * unknown name and for a field without an area.
 * @throws {InputFault} that names `field`, if the field is signed or is not a signature field
 */
export function findSignatureField(
  document: PdfDocument,
  fieldName: string,
): { width: number; height: number } | undefined {
  const form = readForm(document);
  const { existing } = chooseField(form, fieldName);
  const { rect, page: index } = existing?.widget ?? {};
  const page = index === undefined ? undefined : form.pages[index];
  if (!rect || !page) return undefined;
  const { unit, rotation } = geometryOf(page);
  const [across, up] = [(rect[2] - rect[0]) * unit, (rect[3] - rect[1]) * unit];
  return rotation === 90 || rotation === 270 ? { width: up, height: across } : { width: across, height: up };
}
