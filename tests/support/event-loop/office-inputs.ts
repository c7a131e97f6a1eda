import { base64, everyBody, json, keys, MB, type WorstInput } from './inputs.ts';
import { contentType, field, file, form } from './multipart-form.ts';

/** Bytes that begin like an office file. */
const notOffice = (bytes: number) => 'PK\u0003\u0004nothing '.repeat(bytes / 12);
/** The end of a ZIP archive that claims 65,535 files. */
const END = 'PK\u0005\u0006\0\0\0\0\u00ff\u00ff\u00ff\u00ff\u0001\0\0\0\0\0\0\0\0\0';
const latin1 = (...parts: string[]) => Buffer.from(form(...parts), 'latin1');

const convert = 'POST /v1/pdf/convert';
const convertInputs: WorstInput[] = [
  ...everyBody(convert),
  { route: convert, name: 'an archive of 24 MB', body: () => json({ file: base64(notOffice(24 * MB)) }) },
  {
    route: convert,
    name: 'a text of 24 MB',
    body: () => json({ file: base64('a;'.repeat(12 * MB)), file_type: 'pptx' }),
  },
  {
    route: convert,
    name: '500,000 ranges',
    body: () => json({ file: 'eA==', pages: '1,'.repeat(0.5 * MB) }),
  },
  ...[
    { name: 'an archive of 24 MB', body: () => latin1(file(notOffice(24 * MB) + END, 'file', 'a.docx')) },
    {
      name: '30 MB of line breaks and dashes',
      body: () => form(file('\r\n--'.repeat(7 * MB), 'file'), field('file_type', 'docx')),
    },
    { name: 'base64 of 27 MB in a text part', body: () => form(field('file', 'A'.repeat(27 * MB))) },
    {
      name: 'properties of 400,000 keys',
      body: () => form(file('x', 'file'), field('watermark', json(keys(400_000)))),
    },
  ].map((input) => ({ route: convert, contentType, ...input, name: `multipart: ${input.name}` })),
];

const templates: WorstInput[] = [
  {
    name: 'an archive of 9.9 MB',
    body: () => latin1(file(notOffice(9.9 * MB) + END, 'file', 'a.docx'), field('name', 'x')),
  },
  {
    name: '14 MB of line breaks and dashes',
    body: () => form(file('\r\n--'.repeat(3.6 * MB), 'file', 'a.xlsx'), field('name', 'x')),
  },
  {
    name: 'sample data of 400,000 keys',
    body: () =>
      form(file('x', 'file', 'a.pptx'), field('name', 'x'), field('sample_data', json(keys(400_000)))),
  },
  {
    name: 'a schema of 400,000 keys',
    body: () =>
      form(file('x', 'file', 'a.pptx'), field('name', 'x'), field('schema', json(keys(400_000, 'string')))),
  },
  { name: '1,000 files', body: () => form(field('name', 'x'), file('x', 'file', 'a.docx').repeat(999)) },
]
  .flatMap((input) => [
    { route: 'POST /v1/templates', ...input },
    { route: 'PUT /v1/templates/{id}', path: () => '/v1/templates/tmpl_none', ...input },
  ])
  .map((input) => ({ contentType, ...input, name: `multipart: ${input.name}` }));

/** The requests with office files that, as far as is known, cost the most. */
export const officeInputs: WorstInput[] = [...convertInputs, ...templates];
