import { describe, expect, test } from 'bun:test';
import { issue, toPem } from '../../tests/pki/certificates.ts';
import { signedPdf } from '../../tests/pki/sign-pdf.ts';
import { first, verify } from '../../tests/pki/verify-file.ts';
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
} from '../../objects/index.ts';

const root = issue({ name: 'Root' });
const roots = toPem(root);

/** Appends an update to a file. */
function update(pdf: Uint8Array, change: (document: PdfDocument) => Map<Ref, Direct>): Buffer {
  const document = PdfDocument.open(pdf);
  return appendUpdate(document, change(document));
}

describe('later changes', () => {
  const signer = issue({ name: 'Ada', issuer: root });
  const ref = (document: PdfDocument, number: number) => document.ref(number);
  const dictOf = (document: PdfDocument, number: number) => {
    const { value } = ref(document, number);
    if (!(value instanceof Dict)) throw new Error(`object ${number} is not a dictionary`);
    return value.copy();
  };
  const docMdp = (level: number) =>
    `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P ${level}/V/1.2>>>>]`;
  const lock = '/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</Action/All/V/1.2>>>>]';
  const signedAt = (entries: string) => signedPdf({ signer, entries });
  /** Expects that a change keeps the signature intact, and is allowed or not. */
  const expectChange = async (pdf: Uint8Array, isAllowed: boolean, change: string) => {
    const result = verify(pdf, { roots });
    const signature = first(result);
    expect([signature.intact, signature.changesAfter, signature.problems]).toEqual([
      true,
      isAllowed ? 'allowed' : 'not_allowed',
      isAllowed ? [] : expect.arrayContaining([expect.stringContaining('after signing')]),
    ]);
    // The timestamps of this test have no value.
    expect(result.valid).toBe(isAllowed && !change.includes('timestamp'));
  };
  const text = (value: string) => new PdfString(Buffer.from(value));
  const note = () => Ref.to(Dict.of({ Type: name('Annot'), Subtype: name('Text'), Rect: [0, 0, 9, 9] }));

  /** Adds a signature field with a widget on the page. */
  const withField = (document: PdfDocument, entries: Record<string, PdfObject>): Map<Ref, Direct> => {
    const catalog = dictOf(document, 1);
    const page = dictOf(document, 3);
    const form = catalog.dict('AcroForm')?.copy() ?? new Dict();
    const widget = { Subtype: name('Widget'), Rect: [0, 0, 0, 0], ...entries };
    const field = Ref.to(Dict.of({ FT: name('Sig'), T: text('later'), ...widget }));
    form.set('Fields', [...(form.array('Fields') ?? []), field]);
    page.set('Annots', [...(page.array('Annots') ?? []), field]);
    return new Map<Ref, Direct>([
      [ref(document, 1), catalog.set('AcroForm', form)],
      [ref(document, 3), page],
    ]);
  };

  const CHANGES: Record<string, (document: PdfDocument) => Map<Ref, Direct>> = {
    filling: (document) => new Map([[ref(document, 6), dictOf(document, 6).set('V', text('Eve'))]]),
    content: (document) =>
      new Map([[ref(document, 4), new PdfStream(new Dict(), Buffer.from('1 0 0 rg 0 0 9 9 re f'))]]),
    annotation: (document) => {
      const page = dictOf(document, 3);
      return new Map([[ref(document, 3), page.set('Annots', [...(page.array('Annots') ?? []), note()])]]);
    },
    'page size': (document) =>
      new Map([[ref(document, 3), dictOf(document, 3).set('MediaBox', [0, 0, 50, 50])]]),
    'another page': (document) =>
      new Map([[ref(document, 2), dictOf(document, 2).set('Kids', [ref(document, 3), ref(document, 3)])]]),
    'another field': (document) => {
      const catalog = dictOf(document, 1);
      const form = catalog.dict('AcroForm')?.copy() ?? new Dict();
      const field = Ref.to(Dict.of({ FT: name('Tx'), T: text('other') }));
      form.set('Fields', [...(form.array('Fields') ?? []), field]);
      return new Map([[ref(document, 1), catalog.set('AcroForm', form)]]);
    },
    'another signature field': (document) => withField(document, {}),
    'another signature field with an action': (document) =>
      withField(document, { A: Dict.of({ S: name('Named') }) }),
    'an invisible timestamp': (document) =>
      withField(document, { V: Dict.of({ Type: name('DocTimeStamp') }) }),
    'a visible timestamp': (document) =>
      withField(document, { V: Dict.of({ Type: name('DocTimeStamp') }), Rect: [0, 0, 300, 200] }),
    'a removed widget': (document) =>
      new Map([[ref(document, 3), dictOf(document, 3).set('Annots', [ref(document, 5), ref(document, 8)])]]),
    'appearance without value': (document) => {
      const field = dictOf(document, 6);
      const form = Ref.to(
        new PdfStream(Dict.of({ Subtype: name('Form'), BBox: [0, 0, 9, 9] }), Buffer.from('0 0 9 9 re f')),
      );
      return new Map([[ref(document, 6), field.set('AP', Dict.of({ N: form }))]]);
    },
    'field rectangle': (document) =>
      new Map([[ref(document, 6), dictOf(document, 6).set('Rect', [0, 0, 300, 200])]]),
    'a removed annotation': (document) =>
      new Map([[ref(document, 3), dictOf(document, 3).set('Annots', [ref(document, 5), ref(document, 6)])]]),
    'an attachment': (document) => {
      const tree = Dict.of({ Names: [text('a.txt'), Dict.of({ Type: name('Filespec'), F: text('a.txt') })] });
      const names = Dict.of({ EmbeddedFiles: tree });
      return new Map([[ref(document, 1), dictOf(document, 1).set('Names', names)]]);
    },
    layers: (document) =>
      new Map([[ref(document, 1), dictOf(document, 1).set('OCProperties', Dict.of({ OCGs: [] }))]]),
    script: (document) =>
      new Map([
        [
          ref(document, 1),
          dictOf(document, 1).set('OpenAction', Dict.of({ S: name('JavaScript'), JS: text('1') })),
        ],
      ]),
    'validation data': (document) =>
      new Map([[ref(document, 1), dictOf(document, 1).set('DSS', Dict.of({ Certs: [] }))]]),
  };

  /** The DocMDP levels at which each change is allowed. `-` is a signature without a level. */
  const ALLOWED: Record<string, string> = {
    filling: '- 2 3',
    'appearance without value': '- 2 3',
    annotation: '3',
    'a removed annotation': '3',
    'another signature field': '- 2 3',
    'another signature field with an action': '',
    'an invisible timestamp': '- 1 2 3',
    'a visible timestamp': '- 2 3',
    'validation data': '- 1 2 3',
    content: '',
    'page size': '',
    'another page': '',
    'another field': '',
    'a removed widget': '',
    'field rectangle': '',
    'an attachment': '',
    layers: '',
    script: '',
  };
  test('the table has all changes', () => {
    expect(Object.keys(ALLOWED).toSorted()).toEqual(Object.keys(CHANGES).toSorted());
  });

  test.each(
    Object.entries(ALLOWED).flatMap(([change, levels]) =>
      ['-', '1', '2', '3'].map((level) => [change, level, levels.includes(level)] as const),
    ),
  )('%s after a signature of the level %s: %p', async (change, level, isAllowed) => {
    const pdf = await signedAt(level === '-' ? '' : docMdp(Number(level)));
    await expectChange(update(pdf, CHANGES[change] ?? (() => new Map())), isAllowed, change);
  });

  test('filling in a locked field is not allowed', async () => {
    await expectChange(
      update(await signedAt(lock), CHANGES['filling'] ?? (() => new Map())),
      false,
      'filling',
    );
  });

  test('an appearance that a form field had may not be replaced without its value', async () => {
    const drawn = (operators: string) =>
      Ref.to(new PdfStream(Dict.of({ Subtype: name('Form'), BBox: [0, 0, 9, 9] }), Buffer.from(operators)));
    const pdf = await signedPdf({ signer, fieldEntries: '/AP<</N 4 0 R>>' });
    const changed = update(
      pdf,
      (document) =>
        new Map([[ref(document, 6), dictOf(document, 6).set('AP', Dict.of({ N: drawn('0 0 9 9 re f') }))]]),
    );
    expect(first(verify(changed, { roots }))).toMatchObject({
      changesAfter: 'not_allowed',
      problems: ['the appearance of the field name changed after signing, but not its value'],
    });
  });

  test('an update that only changes where objects are is compared by their content', async () => {
    const pdf = await signedPdf({ signer });
    const same = update(pdf, (document) => new Map([[ref(document, 3), dictOf(document, 3)]]));
    expect(first(verify(same, { roots }))).toMatchObject({ changesAfter: 'allowed', coversWholeFile: false });
  });

  test('an object that is both an appearance and page content is compared as content', async () => {
    const shared = 'an appearance that the page draws, too';
    const pdf = await signedPdf({ signer });
    const swapped = update(pdf, (document) => {
      const stream = new PdfStream(Dict.of({ Subject: text(shared) }), Buffer.from('1 1 9 9 re f'));
      return new Map<Ref, Direct>([
        [ref(document, 4), stream],
        [
          ref(document, 6),
          dictOf(document, 6)
            .set('V', text('Eve'))
            .set('AP', Dict.of({ N: ref(document, 4) })),
        ],
      ]);
    });
    expect(first(verify(swapped, { roots })).problems).toEqual(['page 1 changed after signing (Contents)']);
  });
});
