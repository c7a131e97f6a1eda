import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, postForm, requestPart, type FormPart } from '../../support/service/multipart.ts';
import { fieldsOf } from '../../support/openapi.ts';
import { describeWithPdfTools, pageCount, pdfInfo, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
const bytes = (pdf: string) => Buffer.from(pdf, 'latin1');
const pdf = (pages: number) => bytes(pagesPdf(pages));
const post = (operation: string, parts: readonly FormPart[]) =>
  postForm(service(), `/v1/pdf/${operation}`, formOf(parts));
const resultOf = async (body: { url: string }) => service().download(body.url);
/** Creates a page that shows a word. */
const pageWith = (word: string) =>
  bytes(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
      stream(`BT /F 12 Tf 20 100 Td (${word}) Tj ET`),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]),
  );

describeWithPdfTools('a multipart request', () => {
  test('takes a field that is text or an object', async () => {
    const stamp = (position: string) =>
      post('stamp', [
        ['pdf', pdf(1)],
        ['text', 'PAID'],
        ['position', position],
      ]);
    for (const position of ['top-left', '{"x": 20, "y": 30}'])
      expect((await stamp(position)).status).toBe(200);
    expect((await stamp('{"x": 20}')).body.error.details[0].path).toBe('position.y');
    expect((await stamp('{"x": 20')).body.error.message).toBe('position: is not valid JSON');
  });

  test('merges files in the order of their parts', async () => {
    const { status, body } = await post('merge', [
      ['pdfs', pageWith('second')],
      ['pdfs', pageWith('first')],
      ['pdfs', pdf(3)],
    ]);
    expect(status).toBe(200);
    const text = await pdfText(await resultOf(body));
    expect(text.indexOf('second')).toBeGreaterThanOrEqual(0);
    expect(text.indexOf('second')).toBeLessThan(text.indexOf('first'));
    expect(await pageCount(await resultOf(body))).toBe(5);
  });

  test('takes a file and fields of every type: text, number and boolean parts, and the part `request`', async () => {
    const signed = await post('sign', [
      ['pdf', pdf(2)],
      ['name', 'Ada Lovelace'],
      ['page', '1'],
      ['x', '12.5'],
      ['output', 'base64'],
    ]);
    expect([signed.status, signed.body.signed]).toEqual([200, true]);
    expect(await pageCount(Buffer.from(signed.body.data, 'base64'))).toBe(2);
    const split = await post('split', [['pdf', pdf(5)], requestPart({ ranges: [[1], [2, 4]] })]);
    expect([split.status, split.body.total]).toEqual([200, 2]);
    const converted = await post('pdfa', [
      ['pdf', pdf(1)],
      ['title', 'Jahresbericht über 日本'],
      ['allow_signature_loss', 'true'],
    ]);
    expect([converted.status, converted.body.pdfa]).toEqual([200, true]);
  });

  test('takes lists and objects as JSON in a part', async () => {
    const { status, body } = await post('split', [
      ['pdf', pdf(3)],
      ['ranges', '[[3],[1,2]]'],
    ]);
    expect([status, body.total]).toEqual([200, 2]);
  });

  test('takes the options of a document as JSON in a part, and null for no options', async () => {
    const generate = async (options: string | Uint8Array) => {
      const parts: FormPart[] = [
        ['html', '<p>x'],
        ['options', options],
      ];
      const { status, body } = await postForm(service(), '/v1/generate', formOf(parts));
      expect([status, body.error]).toEqual([200, undefined]);
      return (await pdfInfo(await resultOf(body)))['Page size'];
    };
    expect(await generate('{"format": "Letter", "margin": "1cm"}')).toContain('letter');
    expect(await generate(bytes('{"format": "Letter"}\n'))).toContain('letter');
    expect(await generate('null')).toContain('A4');
  });

  test('takes base64 in a text part and in the part `request`', async () => {
    const base64 = pdf(4).toString('base64');
    for (const parts of [[['pdf', base64]], [requestPart({ pdf: base64 })]] as FormPart[][]) {
      const { status, body } = await post('info', parts);
      expect([status, body.pages]).toEqual([200, 4]);
    }
  });

  test('takes a file of a megabyte that contains line breaks, dashes and the start of the boundary', async () => {
    const noise = `\r\n--\r\n----\r\n------WebKitFormBoundary${'x\r\n-'.repeat(300_000)}`;
    const file = Buffer.concat([pdf(2), Buffer.from(`%${noise}`)]);
    const { status, body } = await post('info', [['pdf', file]]);
    expect([status, body.pages, body.file_size]).toEqual([200, 2, file.length]);
  });
});

describe('a malformed field of a multipart request is a 400 that names the part', () => {
  const cases: [string, string, FormPart[], string][] = [
    ['no file', 'info', [['output', 'url']], 'output: unknown part; valid parts are request, pdf'],
    ['no parts at all', 'merge', [requestPart({})], 'pdfs: is required'],
    ['one file of two', 'merge', [['pdfs', pdf(1)]], 'pdfs: must be a list of 2 to 500'],
    [
      'a repeated file',
      'info',
      [
        ['pdf', pdf(1)],
        ['pdf', pdf(1)],
      ],
      'part "pdf" occurs more than once',
    ],
    ['an unknown part', 'info', [['file', pdf(1)]], 'file: unknown part'],
    ['__proto__', 'info', [['__proto__', 'x']], '__proto__: unknown part'],
    ['constructor', 'info', [['constructor', 'x']], 'constructor: unknown part'],
    [
      'a field given both ways',
      'split',
      [['pdf', pdf(1)], ['output', 'url'], requestPart({ output: 'url' })],
      'output: is given both as a part and in the part "request"',
    ],
    ['two requests', 'info', [requestPart({}), requestPart({})], 'part "request" occurs more than once'],
    [
      'a list that is not JSON',
      'split',
      [['ranges', '1-2']],
      'ranges: is not valid JSON; it must be a list of 1 to 5000 ranges, each [page] or [first, last], such as [[1,2],[3]]',
    ],
    ['a request that is not JSON', 'info', [['request', '{']], 'request: is not valid JSON'],
    ['a request that is a list', 'info', [['request', '[]']], 'request: must be a JSON object'],
    ['an unknown field in the request', 'info', [['pdf', pdf(1)], requestPart({ x: 1 })], 'x: unknown field'],
    [
      'a number that is text',
      'sign',
      [
        ['pdf', pdf(1)],
        ['name', 'A'],
        ['x', 'left'],
      ],
      'x: must be a number',
    ],
    [
      'a boolean that is text',
      'pdfa',
      [
        ['pdf', pdf(1)],
        ['allow_signature_loss', 'yes'],
      ],
      'allow_signature_loss: must be true or false',
    ],
    ['a file that is not a PDF', 'info', [['pdf', Buffer.from('hello')]], 'pdf: is not a PDF'],
    ['an empty file', 'info', [['pdf', Buffer.alloc(0)]], 'pdf: is empty'],
    [
      'the second of two files',
      'merge',
      [
        ['pdfs', pdf(1)],
        ['pdfs', Buffer.from('<html>')],
      ],
      'pdfs[1]: ',
    ],
    [
      'text that is not UTF-8',
      'sign',
      [
        ['pdf', pdf(1)],
        ['name', new Blob([Buffer.from([0x41, 0xff])])],
      ],
      'name: is not valid UTF-8',
    ],
    ['a file that is too large', 'info', [['pdf', Buffer.alloc(27_000_001, 37)]], 'pdf: is larger than'],
  ];
  test.each(cases)('%s', async (_, operation, parts, message) => {
    const { status, body } = await post(operation, parts);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });
});

test('the details of an error name an unknown part', async () => {
  const { body } = await post('info', [
    ['pdf', pdf(1)],
    ['colour', 'red'],
  ]);
  expect(body.error.details).toEqual([
    { path: 'colour', message: 'unknown part; valid parts are request, pdf' },
  ]);
});

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> };
}

test('every POST that takes a file takes multipart as well', async () => {
  const { body } = await service().get('/openapi.json', null);
  const takesFiles = Object.entries<Record<string, Operation>>(body.paths).flatMap(
    ([path, { post: operation }]) => {
      const content = operation?.requestBody?.content ?? {};
      const fields = fieldsOf(body, content['application/json']?.schema);
      return ['pdf', 'pdfs', 'file'].some((field) => field in fields) ? [{ path, content }] : [];
    },
  );
  expect(takesFiles.length).toBeGreaterThan(8);
  for (const { path, content } of takesFiles)
    expect([path, Object.keys(content)]).toEqual([path, ['application/json', 'multipart/form-data']]);
});

test.skipIf(Bun.which('curl') === null)('curl -F uploads files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-curl-'));
  try {
    await Bun.write(join(folder, 'a.pdf'), pdf(1));
    await Bun.write(join(folder, 'b;"quoted".pdf'), pdf(2));
    const quoted = String.raw`pdfs=@"b;\"quoted\".pdf"`;
    const output =
      await Bun.$`curl -sS -H ${`Authorization: Bearer ${service().key}`} -F pdfs=@a.pdf -F ${quoted} -F output=base64 ${service().url}/v1/pdf/merge`
        .cwd(folder)
        .json();
    expect(await pageCount(Buffer.from(output.data, 'base64'))).toBe(3);
  } finally {
    await rm(folder, { recursive: true });
  }
});
