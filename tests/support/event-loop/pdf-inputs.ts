import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { documentedOperations, OPERATION_REQUESTS } from '../pdf/operation-requests.ts';
import { pagesPdf, plainPdf } from '../pdf/samples.ts';
import { base64, everyBody, json, keys, MB, notPdf, objects, type WorstInput } from './inputs.ts';

/** Creates a PDF with many form fields. */
function formPdf(fields: number): string {
  const body = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let size = body[0]?.length ?? 0;
  const add = (text: string) => {
    offsets.push(size);
    body.push(text);
    size += text.length;
  };
  const first = 4;
  const references = Array.from({ length: fields }, (_, index) => `${first + index} 0 R`).join(' ');
  add(`1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references}]/DA(/Helv 0 Tf 0 g)>>>>endobj\n`);
  add('2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n');
  add(`3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>/Annots[${references}]>>endobj\n`);
  for (let index = 0; index < fields; index += 1)
    add(
      `${first + index} 0 obj<</Type/Annot/Subtype/Widget/FT/Tx/T(f${index})/V(value)/P 3 0 R/Rect[0 0 10 10]>>endobj\n`,
    );
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  body.push(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer<</Root 1 0 R/Size ${offsets.length + 1}>>\nstartxref\n${size}\n%%EOF`,
  );
  return base64(body.join(''));
}

/** Creates a PDF with many pages of different sizes. */
function sizesPdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`).join(' ');
  const objectsText = Array.from(
    { length: pages },
    (_, index) =>
      `${3 + index} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${100 + index / 10} 100]/Resources<<>>>>endobj\n`,
  ).join('');
  return base64(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages}>>endobj\n${objectsText}trailer<</Root 1 0 R/Size ${pages + 3}>>\n%%EOF`,
  );
}

/** Creates a PDF with many signature fields, whose signatures are malformed. */
function signatureFields(count: number): string {
  const field =
    '<</FT/Sig/T(a)/V<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 9 11 9]/Contents<00>>>>>';
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${field.repeat(count)}]>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>',
  ]);
}

const withPdf = (route: string, more: object = {}): WorstInput[] => [
  ...everyBody(route),
  { route, name: 'text of 27 MB', body: () => json({ pdf: notPdf(27 * MB), ...more }) },
  {
    route,
    name: '39 MB of escaped line breaks',
    benchOnly: true,
    body: () =>
      `{"pdf":"${'\\n'.repeat(19 * MB)}"${json(more).replace(/^\{(?=.)/, ',')}`.replace(/,\}$/, '}'),
  },
];

/** The fields besides the PDF, for the operations that only read without them or that need the worst ones. */
const FIELDS: Readonly<Record<string, object>> = {
  attachments: { add: [{ name: 'a', data: 'AAAA' }] },
  outline: { set: [] },
  pipeline: { steps: [{ do: 'info' }] },
  properties: { set: { title: 'x' } },
  verify: { trust: '-----BEGIN CERTIFICATE-----'.repeat(7_000) },
};

function fieldsOf(operation: string): object {
  const [request] = OPERATION_REQUESTS[operation] ?? [];
  return FIELDS[operation] ?? { ...request?.(''), pdf: undefined };
}

/** The worst PDFs, sent to every operation that takes one PDF. */
const everyOperation: WorstInput[] = documentedOperations()
  .filter(({ name }) => name !== 'merge' && name !== 'compare')
  .flatMap(({ name }) => withPdf(`POST /v1/pdf/${name}`, fieldsOf(name)));

/** Worst inputs of the routes that process PDFs. */
export const pdfInputs: WorstInput[] = [
  ...everyOperation,
  ...everyBody('POST /v1/pdf/merge', { typical: true }),
  {
    route: 'POST /v1/pdf/merge',
    name: '500 of nothing',
    body: () => json({ pdfs: Array.from({ length: 500 }, () => notPdf(20_000)) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 short strings',
    body: () => json({ pdfs: Array.from({ length: 500 }, () => 'x') }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 strings of 32 kB',
    body: () => json({ pdfs: Array.from({ length: 500 }, () => 'x'.repeat(32_700)) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 strings of 60 kB',
    body: () => json({ pdfs: Array.from({ length: 500 }, () => notPdf(45_000)) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 strings of 290 kB',
    benchOnly: true,
    body: () => json({ pdfs: Array.from({ length: 500 }, () => notPdf(215_000)) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 PDFs of a page',
    benchOnly: true,
    body: () => json({ pdfs: Array.from({ length: 500 }, () => samplePdf), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '90,000 strings',
    body: () => json({ pdfs: Array.from({ length: 90_000 }, () => '') }),
  },
  { route: 'POST /v1/pdf/merge', name: '90,000 objects', body: () => `{"pdfs":${objects(49_000)}}` },
  ...everyBody('POST /v1/files'),
  { route: 'POST /v1/files', name: 'text of 27 MB', body: () => json({ file: notPdf(27 * MB) }) },
  {
    route: 'POST /v1/files',
    name: '2,000 pages',
    body: () => json({ file: base64(pagesPdf(2_000)) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 references to a file of 2,000 pages',
    body: ({ file }) => json({ pdfs: Array.from({ length: 500 }, () => file) }),
  },
  {
    route: 'POST /v1/pdf/merge',
    name: '500 unknown references',
    body: () => json({ pdfs: Array.from({ length: 500 }, (_, index) => `file_${index}`) }),
  },
  {
    route: 'POST /v1/pdf/split',
    name: '500 pages, as a zip',
    body: () => json({ pdf: base64(pagesPdf(500)), output: 'binary' }),
  },
  {
    route: 'POST /v1/pdf/split',
    name: '2,000 pages, in base64',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/split',
    name: '1,000 pages, stored',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(1_000)) }),
  },
  {
    route: 'POST /v1/pdf/split',
    name: '49,000 ranges',
    body: () => `{"pdf":"","ranges":${objects(49_000)}}`,
  },
  {
    route: 'POST /v1/pdf/split',
    name: 'a range of 99,000 numbers',
    body: () => `{"pdf":"${samplePdf}","ranges":[[${'1,'.repeat(98_000)}1]]}`,
  },
  {
    route: 'POST /v1/pdf/sign',
    name: '2,000 pages',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), name: 'Ada', output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/pdfa',
    name: '2,000 pages',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/info',
    name: '100,000 sizes of pages',
    benchOnly: true,
    body: () => json({ pdf: sizesPdf(100_000) }),
  },
  {
    route: 'POST /v1/pdf/outline',
    name: '30,000 items',
    body: () =>
      json({ pdf: samplePdf, set: Array.from({ length: 30_000 }, () => ({ title: 'x', page: 1 })) }),
  },
  {
    route: 'POST /v1/pdf/compress',
    name: '2,000 pages',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/images',
    name: '100 pages',
    body: () => json({ pdf: base64(pagesPdf(100)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/text',
    name: 'words of 1,000 pages',
    body: () => json({ pdf: base64(pagesPdf(1_000)), format: 'json' }),
  },
  {
    route: 'POST /v1/pdf/flatten',
    name: '2,000 pages',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/number',
    name: '2,000 pages',
    benchOnly: true,
    body: () => json({ pdf: base64(pagesPdf(2_000)), output: 'base64' }),
  },
  {
    route: 'POST /v1/pdf/watermark',
    name: 'an image of 6 MB of base64',
    body: () => json({ pdf: samplePdf, image: `iVBORw0KGgo${'A'.repeat(6_000_000)}` }),
  },
  {
    route: 'POST /v1/pdf/attachments',
    name: 'an attachment of 30 MB of base64',
    body: () => json({ pdf: samplePdf, add: [{ name: 'a', data: 'A'.repeat(30_000_000) }] }),
  },
  {
    route: 'POST /v1/pdf/pages',
    name: '5,000 copies of a page',
    body: () => json({ pdf: base64(pagesPdf(2_000)), pages: '7,'.repeat(4_999) + '7' }),
  },
  {
    route: 'POST /v1/pdf/pipeline',
    name: '20 steps on 2,000 pages',
    benchOnly: true,
    body: ({ file }) =>
      json({
        pdf: file,
        steps: Array.from({ length: 20 }, () => ({ do: 'properties', set: { title: 'x' } })),
      }),
  },
  {
    route: 'POST /v1/pdf/pipeline',
    name: '20 overlays of 6 MB of base64',
    body: () =>
      json({
        pdf: samplePdf,
        steps: Array.from({ length: 20 }, () => ({ do: 'stamp', overlay: 'A'.repeat(6 * MB) })),
      }),
  },
  {
    route: 'POST /v1/pdf/pipeline',
    name: '49,000 steps',
    body: () => `{"pdf":"","steps":${objects(49_000)}}`,
  },
  {
    route: 'POST /v1/pdf/invoice',
    name: 'data of 400,000 keys',
    body: () => json({ profile: 'en16931', document: 'cii', data: { 'ubl:Invoice': keys(400_000) } }),
  },
  {
    route: 'POST /v1/pdf/invoice',
    name: '60,000 lines',
    body: () =>
      `{"profile":"en16931","document":"ubl","data":{"ubl:Invoice":{"cac:InvoiceLine":${objects(60_000)}}}}`,
  },
  {
    route: 'POST /v1/pdf/invoice',
    name: 'a note of 30 MB',
    body: () =>
      json({
        profile: 'en16931',
        document: 'ubl',
        data: { 'ubl:Invoice': { 'cbc:Note': ['x'.repeat(30 * MB)] } },
      }),
  },
  {
    route: 'POST /v1/pdf/verify',
    name: '100 malformed signatures',
    body: () => json({ pdf: base64(signatureFields(100)) }),
  },
  ...everyBody('POST /v1/pdf/compare'),
  {
    route: 'POST /v1/pdf/compare',
    name: '100 differing pages',
    body: () => json({ pdfs: [pagesPdf(100), pagesPdf(100).replaceAll('(Page', '(Leaf')].map(base64) }),
  },
  {
    route: 'POST /v1/pdf/compare',
    name: 'two texts of 27 MB',
    body: () => json({ pdfs: [notPdf(27 * MB), notPdf(27 * MB)] }),
  },
  {
    route: 'POST /v1/pdf/forms/list-fields',
    name: '100,000 fields',
    body: () => json({ pdf: formPdf(100_000) }),
  },
  {
    route: 'POST /v1/pdf/forms/fill',
    name: '10,000 fields',
    benchOnly: true,
    body: () =>
      json({
        pdf: formPdf(10_000),
        fields: Array.from({ length: 10_000 }, (_, index) => ({ name: `f${index}`, value: 'x'.repeat(100) })),
        output: 'base64',
      }),
  },
  {
    route: 'POST /v1/pdf/forms/fill',
    name: '30,000 fields',
    body: () =>
      json({ pdf: samplePdf, fields: Array.from({ length: 30_000 }, () => ({ name: 'x', value: 'y' })) }),
  },
  {
    route: 'POST /v1/pdf/forms/fill',
    name: '900 values of 33 kB',
    benchOnly: true,
    body: () =>
      json({
        pdf: formPdf(900),
        fields: Array.from({ length: 900 }, (_, index) => ({ name: `f${index}`, value: 'é'.repeat(17_000) })),
      }),
  },
  {
    route: 'POST /v1/pdf/forms/fill',
    name: '10,000 unknown names',
    body: () =>
      json({
        pdf: formPdf(10),
        fields: Array.from({ length: 10_000 }, (_, index) => ({
          name: `${'x'.repeat(1_000)}${index}`,
          value: 'y',
        })),
      }),
  },
  {
    route: 'POST /v1/pdf/forms/add-fields',
    name: '1,000 fields',
    benchOnly: true,
    body: () =>
      json({
        pdf: samplePdf,
        fields: Array.from({ length: 1_000 }, (_, index) => ({
          name: `f${index}`,
          type: 'text',
          page: 0,
          x: 1,
          y: 1,
          defaultValue: 'é'.repeat(1_000),
        })),
        output: 'base64',
      }),
  },
  {
    route: 'POST /v1/pdf/forms/add-fields',
    name: '45 fields of 2,000 options',
    body: () =>
      json({
        pdf: samplePdf,
        fields: Array.from({ length: 45 }, (_, index) => ({
          name: `f${index}`,
          type: 'dropdown',
          page: 0,
          x: 1,
          y: 1,
          options: Array.from({ length: 2_000 }, (__, option) => `${option}${'x'.repeat(150)}`),
        })),
      }),
  },
];
