import { describe, expect, test } from 'bun:test';
import { issue, toPem } from '../tests/certificates.ts';
import { SIGNED_PDF_OBJECTS, signedPdf } from '../tests/sign-pdf.ts';
import { first, verify } from '../tests/verify-file.ts';
import {
  appendUpdate,
  Dict,
  name,
  PdfDocument,
  PdfStream,
  PdfString,
  Ref,
  type Direct,
  type PdfObject,
} from '@platen/pdf/objects';
import { plainPdf } from '../../pdf/tests/plain-pdf.ts';
import { findChanges, type LaterChanges } from './changes.ts';

const {
  catalog: CATALOG,
  pages: PAGES,
  page: PAGE,
  content: CONTENT,
  signatureField: SIGNATURE_FIELD,
  signature: SIGNATURE,
  textField: TEXT_FIELD,
  note: NOTE,
} = SIGNED_PDF_OBJECTS;

const root = issue({ name: 'Root' });
const roots = toPem(root);

type Changed = Map<Ref, Direct>;

/** Appends an update to a file. */
function update(pdf: Uint8Array, change: (document: PdfDocument) => Changed): Buffer {
  const document = PdfDocument.open(pdf);
  return appendUpdate(document, change(document));
}

/** Returns a copy of the dictionary of an object. */
function dictOf(document: PdfDocument, number: number): Dict {
  const { value } = document.ref(number);
  if (!(value instanceof Dict)) throw new Error(`object ${number} is not a dictionary`);
  return value.copy();
}

/** Sets entries of one object. */
const setEntries =
  (number: number, entries: (document: PdfDocument) => Record<string, PdfObject>) =>
  (document: PdfDocument): Changed => {
    const dict = dictOf(document, number);
    for (const [key, value] of Object.entries(entries(document))) dict.set(key, value);
    return new Map([[document.ref(number), dict]]);
  };

/** Replaces the list of annotations of the page. */
const listAnnotations = (...numbers: number[]) =>
  setEntries(PAGE, (document) => ({ Annots: numbers.map((number) => document.ref(number)) }));

const text = (value: string) => new PdfString(Buffer.from(value));
const drawing = (operators: string) =>
  new PdfStream(Dict.of({ Subtype: name('Form'), BBox: [0, 0, 9, 9] }), Buffer.from(operators));
const appearanceOf = (operators: string) => Dict.of({ N: Ref.to(drawing(operators)) });

/** Adds a field to the form. */
function addField(document: PdfDocument, field: Ref): Changed {
  const catalog = dictOf(document, CATALOG);
  const form = catalog.dict('AcroForm')?.copy() ?? new Dict();
  form.set('Fields', [...(form.array('Fields') ?? []), field]);
  return new Map([[document.ref(CATALOG), catalog.set('AcroForm', form)]]);
}

/** Adds a signature field with a widget on the page. */
const addSignatureField =
  (entries: Record<string, PdfObject>) =>
  (document: PdfDocument): Changed => {
    const widget = { Subtype: name('Widget'), Rect: [0, 0, 0, 0], ...entries };
    const field = Ref.to(Dict.of({ FT: name('Sig'), T: text('later'), ...widget }));
    const page = dictOf(document, PAGE);
    page.set('Annots', [...(page.array('Annots') ?? []), field]);
    return new Map([...addField(document, field), [document.ref(PAGE), page]]);
  };

/** A change of a signed file, and whether signatures allow it. */
interface Case {
  change: (document: PdfDocument) => Changed;
  /** The DocMDP levels at which the change is allowed. `-` is a signature without a level. */
  allowedAt: string;
  /** Whether the change adds a signature without a value, which is not valid. */
  addsInvalidSignature?: boolean;
}

const timestamp = Dict.of({ Type: name('DocTimeStamp') });
const fill = setEntries(TEXT_FIELD, () => ({ V: text('Eve') }));

const CASES: Readonly<Record<string, Case>> = {
  'filling in a field': { change: fill, allowedAt: '- 2 3' },
  'an appearance for a value that was not visible': {
    change: setEntries(TEXT_FIELD, () => ({ AP: appearanceOf('0 0 9 9 re f') })),
    allowedAt: '- 2 3',
  },
  'another annotation': {
    change: (document) => {
      const note = Dict.of({ Type: name('Annot'), Subtype: name('Text'), Rect: [0, 0, 9, 9] });
      const page = dictOf(document, PAGE);
      page.set('Annots', [...(page.array('Annots') ?? []), Ref.to(note)]);
      return new Map([[document.ref(PAGE), page]]);
    },
    allowedAt: '3',
  },
  'a removed annotation': { change: listAnnotations(SIGNATURE_FIELD, TEXT_FIELD), allowedAt: '3' },
  'a changed annotation': {
    change: setEntries(NOTE, () => ({ Contents: text('Read that') })),
    allowedAt: '3',
  },
  'annotations in another order': {
    change: listAnnotations(NOTE, SIGNATURE_FIELD, TEXT_FIELD),
    allowedAt: '3',
  },
  'a signature field without a signature': { change: addSignatureField({}), allowedAt: '' },
  'a signature field with a signature': {
    change: addSignatureField({ V: Dict.of({ Type: name('Sig') }) }),
    allowedAt: '- 2 3',
    addsInvalidSignature: true,
  },
  'a signature field with the signature of another field': {
    change: (document) => addSignatureField({ V: document.ref(SIGNATURE), Rect: [0, 0, 300, 200] })(document),
    allowedAt: '',
  },
  'another signature field with an action': {
    change: addSignatureField({ A: Dict.of({ S: name('Named') }) }),
    allowedAt: '',
  },
  'an invisible timestamp': {
    change: addSignatureField({ V: timestamp }),
    allowedAt: '- 1 2 3',
    addsInvalidSignature: true,
  },
  'a timestamp whose rectangle is malformed': {
    change: addSignatureField({ V: timestamp, Rect: [] }),
    allowedAt: '',
  },
  'a visible timestamp': {
    change: addSignatureField({ V: timestamp, Rect: [0, 0, 300, 200] }),
    allowedAt: '',
  },
  'validation data': {
    change: setEntries(CATALOG, () => ({ DSS: Dict.of({ Certs: [] }) })),
    allowedAt: '- 1 2 3',
  },
  'other page content': {
    change: (document) => new Map([[document.ref(CONTENT), drawing('1 0 0 rg 0 0 9 9 re f')]]),
    allowedAt: '',
  },
  'another page size': { change: setEntries(PAGE, () => ({ MediaBox: [0, 0, 50, 50] })), allowedAt: '' },
  'another page': {
    change: setEntries(PAGES, (document) => ({ Kids: [document.ref(PAGE), document.ref(PAGE)] })),
    allowedAt: '',
  },
  'another text field': {
    change: (document) => addField(document, Ref.to(Dict.of({ FT: name('Tx'), T: text('other') }))),
    allowedAt: '',
  },
  'a removed widget': { change: listAnnotations(SIGNATURE_FIELD, NOTE), allowedAt: '' },
  'a larger field': { change: setEntries(TEXT_FIELD, () => ({ Rect: [0, 0, 300, 200] })), allowedAt: '' },
  'an attachment': {
    change: setEntries(CATALOG, () => {
      const file = Dict.of({ Type: name('Filespec'), F: text('a.txt') });
      return { Names: Dict.of({ EmbeddedFiles: Dict.of({ Names: [text('a.txt'), file] }) }) };
    }),
    allowedAt: '',
  },
  layers: {
    change: setEntries(CATALOG, () => ({ OCProperties: Dict.of({ OCGs: [] }) })),
    allowedAt: '',
  },
  JavaScript: {
    change: setEntries(CATALOG, () => ({ OpenAction: Dict.of({ S: name('JavaScript'), JS: text('1') }) })),
    allowedAt: '',
  },
};

describe('later changes', () => {
  const signer = issue({ name: 'Ada', issuer: root });
  const docMdp = (level: string) =>
    `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P ${level}/V/1.2>>>>]`;
  const lock = '/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</Action/All/V/1.2>>>>]';

  test.each(
    Object.entries(CASES).flatMap(([change, tested]) =>
      ['-', '1', '2', '3'].map((level) => {
        const isAllowed = tested.allowedAt.includes(level);
        return [change, level, isAllowed ? 'allowed' : 'not allowed', { ...tested, isAllowed }] as const;
      }),
    ),
  )('%s after a signature of the level %s: %s', async (_, level, __, { change, ...expected }) => {
    const pdf = await signedPdf({ signer, entries: level === '-' ? '' : docMdp(level) });
    const result = verify(update(pdf, change), { roots });
    const { intact, changesAfter, faults } = first(result);
    expect([intact, changesAfter, faults]).toEqual([
      true,
      expected.isAllowed ? 'allowed' : 'not_allowed',
      expected.isAllowed ? [] : expect.arrayContaining([expect.stringContaining('after signing')]),
    ]);
    expect(result.valid).toBe(expected.isAllowed && expected.addsInvalidSignature !== true);
  });

  test('filling in a locked field is not allowed', async () => {
    const pdf = await signedPdf({ signer, entries: lock });
    expect(first(verify(update(pdf, fill), { roots }))).toMatchObject({
      intact: true,
      changesAfter: 'not_allowed',
      faults: ['the field name changed after signing, but the signature locks it'],
    });
  });

  test('the appearance of a field may not be replaced unless its value changes', async () => {
    const pdf = await signedPdf({ signer, fieldEntries: `/AP<</N ${CONTENT} 0 R>>` });
    const changed = update(
      pdf,
      setEntries(TEXT_FIELD, () => ({ AP: appearanceOf('0 0 9 9 re f') })),
    );
    expect(first(verify(changed, { roots }))).toMatchObject({
      changesAfter: 'not_allowed',
      faults: ['the appearance of the field name changed after signing, but not its value'],
    });
  });

  test('an update that writes an equal object is allowed', async () => {
    const same = update(
      await signedPdf({ signer }),
      setEntries(PAGE, () => ({})),
    );
    expect(first(verify(same, { roots }))).toMatchObject({ changesAfter: 'allowed', coversWholeFile: false });
  });

  test('an object that is both an appearance and page content is compared as content', async () => {
    const swapped = update(await signedPdf({ signer }), (document) => {
      const field = setEntries(TEXT_FIELD, () => ({
        V: text('Eve'),
        AP: Dict.of({ N: document.ref(CONTENT) }),
      }));
      return new Map<Ref, Direct>([[document.ref(CONTENT), drawing('1 1 9 9 re f')], ...field(document)]);
    });
    expect(first(verify(swapped, { roots })).faults).toEqual(['page 1 changed after signing (Contents)']);
  });
});

describe('the comparison of annotations', () => {
  const FIRST = 4;
  /** Makes a file of one page with a list of annotations. Its objects from number 4 on are `objects`. */
  const fileOf = (list: string, objects: readonly string[] = []) =>
    Buffer.from(
      plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[${list}]>>`,
        ...objects,
      ]),
      'latin1',
    );
  const noteOf = (content: string) => `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(${content})>>`;
  const changesOf = (pdf: Buffer, change: (document: PdfDocument) => Changed) => {
    const { changes, faults } = findChanges(PdfDocument.open(pdf), PdfDocument.open(update(pdf, change)), {
      permitted: { level: 2, locks: () => false },
      end: pdf.length,
      endOf: () => 0,
    });
    return { changes, faults };
  };
  const rejected = (change: string): LaterChanges => ({
    changes: 'not_allowed',
    faults: [`${change} after signing, which the signature does not allow`],
  });

  const numbers = Array.from({ length: 300 }, (_, index) => FIRST + index);
  const many = fileOf(
    numbers.map((number) => `${number} 0 R`).join(' '),
    numbers.map((number) => noteOf(`note ${number}`)),
  );

  test('follows object numbers, not positions, on a page with many annotations', () => {
    expect(changesOf(many, listAnnotations(...numbers.toReversed()))).toEqual(
      rejected('annotations on page 1 were removed or reordered'),
    );
    expect(changesOf(many, listAnnotations(...numbers.slice(1)))).toEqual(
      rejected('annotations on page 1 were removed or reordered'),
    );
    expect(changesOf(many, listAnnotations(...numbers, FIRST))).toEqual(
      rejected('an annotation was added to page 1'),
    );
    expect(changesOf(many, listAnnotations(...numbers))).toEqual({ changes: 'allowed', faults: [] });
  });

  test('finds one changed annotation of many', () => {
    const changed = changesOf(
      many,
      setEntries(FIRST + 150, () => ({ Contents: text('other') })),
    );
    expect(changed).toEqual(rejected('an annotation on page 1 changed'));
  });

  test('finds a direct annotation in place of an annotation that the page lists twice', () => {
    const twice = fileOf(`${FIRST} 0 R ${FIRST} 0 R`, [noteOf('Read this')]);
    const stamp = Dict.of({ Type: name('Annot'), Subtype: name('Stamp'), Rect: [0, 0, 9, 9] });
    const replaced = setEntries(PAGE, (document) => ({ Annots: [document.ref(FIRST), stamp] }));
    expect(changesOf(twice, replaced)).toEqual(rejected('annotations on page 1 were removed or reordered'));
  });

  test('allows a signature field on a page with a direct annotation', () => {
    expect(changesOf(fileOf(noteOf('Read this')), addSignatureField({}))).toEqual({
      changes: 'allowed',
      faults: [],
    });
  });
});
