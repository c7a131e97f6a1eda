import {
  writePdf,
  Dict,
  encodeText,
  informationOf,
  InputFault,
  name,
  PdfDocument,
  PdfStream,
  readPages,
  Ref,
  resolve,
  type PdfObject,
} from '../objects/index.ts';

/**
 * The start of the link that marks the position of a signature field. The number, the name and the label of
 * the field follow.
 */
export const FIELD_LINK = 'https://signature.platen.invalid/';

const MAX_NAME = 200;
const SIGNATURES_EXIST = 1;
// ISO 32000-1 table 165.
const PRINT = 1 << 2;

/** A link that marks a field. */
interface Mark {
  annotation: Ref;
  page: Ref;
  fieldName: string;
  /** The text that a screen reader reads for the field. */
  label: string;
}

/**
 * Turns the links that mark signature fields into empty fields. A browser writes several links for one
 * element; the last has the box of the element.
 * @throws {InputFault} that names `html`, if two fields have the same name
 */
export function placeSignatureFields(document: PdfDocument): Uint8Array {
  const marks = new Map<string, Mark>();
  const links = new Set<PdfObject>();
  const { pages } = readPages(document);
  for (const { dict, ref: page } of pages)
    for (const annotation of dict.array('Annots') ?? []) {
      const [number, encoded, encodedLabel = ''] = readMark(annotation);
      if (number === undefined || encoded === undefined || !(annotation instanceof Ref)) continue;
      links.add(annotation);
      const fieldName = decodeName(encoded).replaceAll('.', '_');
      marks.set(number, { annotation, page, fieldName, label: decodeName(encodedLabel) || fieldName });
    }
  const fields: Ref[] = [];
  const names = new Set<string>();
  for (const mark of marks.values()) {
    const { annotation, fieldName } = mark;
    if (names.has(fieldName))
      throw new InputFault('html', `has two signature fields with the name ${JSON.stringify(fieldName)}`);
    names.add(fieldName);
    annotation.value = fieldOf(mark);
    fields.push(annotation);
  }
  const kept = new Set<PdfObject>(fields);
  for (const { dict } of pages) {
    const list = dict.array('Annots');
    if (list?.some((item) => links.has(item)))
      dict.set(
        'Annots',
        list.filter((item) => !links.has(item) || kept.has(item)),
      );
  }
  const { catalog, version, compact } = document;
  const form = Dict.of({ Fields: fields, SigFlags: SIGNATURES_EXIST });
  const root = Ref.to(catalog.copy().set('AcroForm', Ref.to(form)));
  return writePdf({ root, info: informationOf(document), version, compact });
}

/** Returns the number, the encoded name and the encoded label of the field that an annotation marks. */
function readMark(annotation: PdfObject): readonly string[] {
  const dict = resolve(annotation);
  if (!(dict instanceof Dict) || dict.name('Subtype') !== 'Link') return [];
  const uri = dict.dict('A')?.string('URI')?.key ?? '';
  return uri.startsWith(FIELD_LINK) ? uri.slice(FIELD_LINK.length).split('/', 3) : [];
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded).slice(0, MAX_NAME);
  } catch {
    throw new InputFault('html', 'has a signature field whose name is not valid');
  }
}

/** Creates the empty field in place of a link. */
function fieldOf({ annotation, page, fieldName, label }: Mark): Dict {
  const link = resolve(annotation);
  const box = link instanceof Dict ? (link.array('Rect') ?? []) : [];
  const [left = 0, bottom = 0, right = 0, top = 0] = box.map((side) => (typeof side === 'number' ? side : 0));
  const appearance = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, right - left, top - bottom],
    Resources: new Dict(),
  });
  return Dict.of({
    Type: name('Annot'),
    Subtype: name('Widget'),
    FT: name('Sig'),
    T: encodeText(fieldName),
    TU: encodeText(label),
    F: PRINT,
    P: page,
    Rect: [left, bottom, right, top],
    AP: Dict.of({ N: Ref.to(new PdfStream(appearance, new Uint8Array())) }),
    StructParent: link instanceof Dict ? link.raw('StructParent') : undefined,
  });
}
