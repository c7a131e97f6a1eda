import { expect, test } from 'bun:test';
import { checkPdfua } from '@platen/pdf-standards';
import { PdfDocument } from '@platen/pdf';
import { asDict, decodeText, type Dict } from '@platen/pdf/objects';
import { drawnContent } from '../../accessibility/drawn-content.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const page = (body: string) => `<!doctype html><html lang="en"><title>T</title><h1>H</h1>${body}</html>`;

async function print(body: string, accessible: true | 'report') {
  const answer = await service().post('/v1/generate', {
    html: page(body),
    options: { accessible },
    output: 'base64',
  });
  return { status: answer.status, body: answer.body, pdf: Buffer.from(answer.body.data ?? '', 'base64') };
}

/** Lists the elements of a PDF with a text alternative or replacement text, such as `Formula Alt a`. */
function described(pdf: Uint8Array): string[] {
  const found: string[] = [];
  const visit = (element: Dict | undefined) => {
    for (const key of ['Alt', 'ActualText']) {
      const text = element?.string(key);
      if (text) found.push(`${element?.name('S')} ${key} ${decodeText(text)}`);
    }
    const kids = element?.get('K') ?? [];
    for (const kid of Array.isArray(kids) ? kids : [kids]) visit(asDict(kid));
  };
  visit(PdfDocument.open(pdf).catalog.dict('StructTreeRoot'));
  return found;
}

test.each(drawnContent)('tags %s', async (_, body, expected) => {
  const { status, body: answer, pdf } = await print(body, true);
  expect([status, answer.error]).toEqual([200, undefined]);
  expect(described(pdf)).toEqual(expected);
  expect(checkPdfua(pdf)).toEqual([]);
});

const SHADOW = '<div id="h"><template shadowrootmode="open">';

test.each([
  ['an iframe with text', '<iframe srcdoc="<p>Inside"></iframe>', 'html > body > iframe'],
  ['an iframe with a picture', '<iframe srcdoc="<img src=x>"></iframe>', 'html > body > iframe'],
  ['an iframe with a title', '<iframe title="T" srcdoc="<p>In"></iframe>', 'html > body > iframe'],
  ['an iframe of another origin', '<iframe src="data:text/html,x"></iframe>', 'html > body > iframe'],
  ['a page in an object', '<object data="data:text/html,x" aria-label="A"></object>', 'html > body > object'],
  ['a page in an embed', '<embed src="data:text/html,x" aria-label="A">', 'html > body > embed'],
  ['an iframe in a shadow tree', `${SHADOW}<iframe srcdoc="In"></iframe></template></div>`, '#h >>> iframe'],
  ['a file field', '<label>F <input type="file"></label>', 'html > body > label > input'],
])('rejects %s and names its path', async (_, body, path) => {
  const { status, body: answer } = await print(body, true);
  expect([status, answer.error?.details?.map((fault: object) => ({ ...fault, message: '' }))]).toEqual([
    400,
    [{ path, code: 'CONTENT_UNREAD', message: '' }],
  ]);
  const reported = await print(body, 'report');
  const { body: generation } = await service().get(`/v1/generations/${reported.body.id}?receipt=true`);
  expect([reported.status, generation.receipt.accessibility.claim]).toEqual([200, null]);
});

test.each([
  ['audio', '<audio controls></audio>', 'html > body > audio'],
  ['a picture in a shadow tree', `${SHADOW}<svg></svg></template></div>`, '#h >>> svg'],
])('demands a text alternative of %s', async (_, body, path) => {
  const { status, body: answer } = await print(body, true);
  expect([status, answer.error?.details?.[0]]).toMatchObject([400, { path, code: 'ALT_MISSING' }]);
});

test.each([
  ['an empty iframe', '<iframe></iframe>'],
  ['an iframe that is decoration', '<iframe role="presentation" srcdoc="<p>Inside"></iframe>'],
  ['an iframe that is hidden from screen readers', '<iframe aria-hidden="true" srcdoc="<p>Inside"></iframe>'],
  ['an iframe that is not shown', '<iframe style="display:none" srcdoc="<p>Inside"></iframe>'],
])('accepts %s', async (_, body) => {
  const { status, body: answer } = await print(body, true);
  expect([status, answer.error]).toEqual([200, undefined]);
});

test('warns about tables without header cells, file names as text alternatives and a missing heading', async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const source = `data:image/svg+xml;base64,${btoa(picture)}`;
  const body = `<table id="a"><tr><td>1<td>2<tr><td>3<td>4</table>
    <table id="b" role="presentation"><tr><td>1<td>2<tr><td>3<td>4</table>
    <table id="c"><tr><th>1<th>2<tr><td>3<td>4</table> <table id="d"><tr><td>1<tr><td>2</table>
    <img id="e" src="${source}" alt="IMG_1234.png"> <img id="f" src="${source}" alt="A lamp (lamp.png is its file)">`;
  const html = `<!doctype html><html lang="en"><title>T</title>${body}</html>`;
  const { status, body: answer } = await service().post('/v1/generate', {
    html,
    options: { accessible: true },
    output: 'base64',
  });
  expect([status, answer.error]).toEqual([200, undefined]);
  const { body: generation } = await service().get(`/v1/generations/${answer.id}?receipt=true`);
  const { claim, findings } = generation.receipt.accessibility;
  expect(claim).toBe('pdfua-1');
  const entries = findings.entries as Record<string, string>[];
  expect(entries.map(({ path, code, severity }) => `${severity} ${code} ${path}`)).toEqual([
    'warning HEADERS_MISSING #a',
    'warning ALT_FILE_NAME #e',
    'warning HEADING_MISSING html > body',
  ]);
});
