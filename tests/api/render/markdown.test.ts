import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { readWords } from '../../forms/words.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { drawPages } from '../../support/pdf/pixels.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();

async function print(body: object): Promise<string> {
  return (await pdfText(await service().pdf(body))).replace(/\s+/g, ' ').trim();
}

/** Sends Markdown that must be rejected and returns the fault. */
async function faultOf(body: object): Promise<{ path: string; code?: string; message: string }> {
  const { status, body: answer } = await service().post('/v1/generate', body);
  expect([status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return answer.error.details[0];
}

const rendered: Record<string, [markdown: string, text: string]> = {
  headings: ['# One\n\nTwo\n===\n\n### Three #', 'One Two Three'],
  emphasis: ['plain *slanted* **bold** ~~struck~~ `code`', 'plain slanted bold struck code'],
  'a table': ['| Name | Sum |\n|--:|---|\n| Ada | 10 \\| 20 |', 'Name Sum Ada 10 | 20'],
  'a fenced block': ['```js\nlet a = "<b>";\n```', 'let a = "<b>";'],
  'nested lists': ['1. one\n   - two\n     1. three\n2. four', '1. one two 1. three 2. four'],
  'quotes in quotes': ['> outer\n> > inner', 'outer inner'],
  'character references': ['&copy;&#8364;&amp;', '©€&'],
  'a hard line break': ['one  \ntwo', 'one two'],
  'raw HTML': ['<div><b>bold</b></div>\n\ntext <i>in</i> line', 'bold text in line'],
  'a comment': ['one <!-- hidden --> two', 'one two'],
  'a script in raw HTML': ['<p id="p"></p>\n<script>p.textContent = 6 * 7</script>', '42'],
  'text that looks like a template': ['{{name}} {{#if}}', '{{name}} {{#if}}'],
};

describeWithPdfTools('markdown', () => {
  test.each(Object.entries(rendered))('prints %s', async (_name, [markdown, text]) => {
    expect(await print({ markdown })).toBe(text);
  });

  test('prints links, bare URLs and addresses as links, and links to headings', async () => {
    const markdown =
      '# The *first* heading!\n\n[a](https://a.example/x) https://b.example www.c.example. d@e.example f.example [top](#the-first-heading) [bad](javascript:alert(1))';
    const pdf = Buffer.from(await service().pdf({ markdown })).toString('latin1');
    const targets = [...pdf.matchAll(/\/URI \(([^)]*)\)/g)].map(([, target]) => target);
    expect(targets).toEqual([
      'https://a.example/x',
      'https://b.example/',
      'http://www.c.example/',
      'mailto:d@e.example',
    ]);
    expect(pdf).toContain('/the-first-heading');
  });

  test('draws a box for each task, ticked when it is done', async () => {
    const draw = async (markdown: string) => drawPages(await service().pdf({ markdown }), { dpi: 72 });
    const [open, done, upper] = [
      await draw('- [ ] task'),
      await draw('- [x] task'),
      await draw('- [X] task'),
    ];
    expect(open.equals(done)).toBe(false);
    expect(upper.equals(done)).toBe(true);
    expect(await print({ markdown: '- [x] done\n- [ ] open\n- [y] neither\n\n[x] no item' })).toBe(
      'done open [y] neither [x] no item',
    );
  });

  test('wraps long words and long lines of code within the margins', async () => {
    const word = 'abcdefghij'.repeat(30);
    const markdown = `${word}\n\n    ${word}\n\n\`${word}\`\n\n| a | b |\n|---|---|\n| ${word} | \`${word}\` |`;
    const words = (await readWords(await service().pdf({ markdown }))).flat();
    // A4 is 595 points wide and the margin 36.
    for (const { text, box } of words) expect([text, box[0] >= 35 && box[2] <= 560]).toEqual([text, true]);
    const characters = words.reduce((sum, { text }) => sum + text.length, 0);
    expect(characters).toBe(5 * word.length + 'ab'.length);
  });

  test('breaks short words in tables only between words', async () => {
    const notes = 'a remark that is long enough to fill the rest of the line '.repeat(3);
    const markdown = `| Product | Quantity | Price | Notes |\n|---|---|---|---|\n| \`X-200\` | 1200 | 1,250.00 | ${notes} |`;
    const words = (await readWords(await service().pdf({ markdown }))).flat().map(({ text }) => text);
    for (const word of ['Product', 'Quantity', 'X-200', '1200', '1,250.00']) expect(words).toContain(word);
  });

  test('has the first heading as its title', async () => {
    const pdf = Buffer.from(
      await service().pdf({ markdown: 'text\n\n## Report *for* `Ada` & Co\n\n# Other' }),
    );
    expect(pdf.toString('latin1')).toContain('/Title (Report for Ada & Co)');
  });

  test('is a template when there is data, also in header and footer', async () => {
    const body = {
      markdown: '# {{title}}\n\n{{#each items}}\n- {{this}}\n{{/each}}',
      data: { title: 'For <Ada>', items: ['a', 'b'] },
      options: { header: '<p>{{title}}</p>', footer: '<p>{{pageNumber}} of {{totalPages}}</p>' },
    };
    expect(await print(body)).toBe('For <Ada> For <Ada> a b 1 of 1');
  });

  test('adds styles after the default style sheet', async () => {
    const styles = 'h1 { font-size: 10pt } h1::after { content: " styled" }';
    expect(await print({ markdown: '# Title', styles })).toBe('Title styled');
  });

  test('is a source of batch items and previews', async () => {
    const accepted = await submit(service(), [{ markdown: '# {{a}}', data: { a: 'Item' } }]);
    expect(await completed(service(), accepted)).toMatchObject({ completed: 1 });
    const { body: item } = await service().get(`/v1/generations/${accepted.body.generations[0].id}`);
    expect(item.input_type).toBe('markdown');
    expect(await pdfText(await service().download(item.url))).toContain('Item');
    const { body } = await service().post('/v1/templates/preview', { markdown: '# {{a}}', output: 'base64' });
    expect(await pdfText(Buffer.from(body.data, 'base64'))).toContain('{{a}}');
    const { body: list } = await service().get('/v1/generations?input_type=markdown');
    expect(list.data.map(({ id }: { id: string }) => id)).toContain(item.id);
  });

  test('is printed as a plain document unless raw HTML needs scripts or the network', async () => {
    const { body } = await service().post('/v1/generate', { markdown: '# a\n\n- [x] b\n\n|a|\n|-|\n' });
    const { body: read } = await service().get(`/v1/generations/${body.id}?receipt=true`);
    expect(read.receipt.class).toBe('plain');
  });
});

describe('markdown is rejected', () => {
  test('when it is empty, too long or not text', async () => {
    for (const markdown of ['', 'x'.repeat(2_000_001), 5])
      expect(await faultOf({ markdown })).toMatchObject({ path: 'markdown' });
  });

  test('with another source', async () => {
    const { status, body } = await service().post('/v1/generate', { markdown: 'x', html: 'y' });
    expect([status, body.error.message]).toEqual([400, 'send only one of html and markdown']);
  });

  test('when the template does not parse, or grows beyond the limit', async () => {
    expect(await faultOf({ markdown: '{{#if}', data: {} })).toMatchObject({
      path: 'markdown',
      code: 'TEMPLATE_ERROR',
    });
    const body = { markdown: '{{#each (range 1 3000)}}{{padStart "" 1000}}{{/each}}', data: {} };
    expect(await faultOf(body)).toMatchObject({ path: 'markdown', code: 'TEMPLATE_ERROR' });
  });

  test('when a long reference is repeated until the HTML is too long', async () => {
    const markdown = `[a]: http://e.example/${'x'.repeat(400_000)}\n\n${'[a]'.repeat(100_000)}`;
    expect(await faultOf({ markdown })).toEqual({
      path: 'markdown',
      code: 'TEMPLATE_ERROR',
      message: 'the HTML of the Markdown has more than 30000000 characters',
    });
  });
});

/** Inputs for which other parsers of Markdown take minutes. */
const hostile: Record<string, string> = {
  'nested quotes': '>'.repeat(1_000_000),
  'unclosed brackets': '['.repeat(1_000_000),
  'nested brackets': '['.repeat(500_000) + ']'.repeat(500_000),
  'images in images': '![['.repeat(333_000),
  'nested lists': '* '.repeat(500_000),
  'unmatched emphasis': '_a__b'.repeat(200_000),
  'unmatched strikethrough': '~~a ~b'.repeat(30_000),
  'unclosed comments': '<!--'.repeat(250_000),
  'code spans of growing length': Array.from({ length: 1_400 }, (_, index) => `e${'`'.repeat(index)}`).join(
    '',
  ),
  'a host without an end': `www.a${'.b'.repeat(499_000)}`,
};

describe('hostile Markdown', () => {
  test.each(casesOfSuite(Object.entries(hostile), 12))('%s gets a response', async (_name, markdown) => {
    const { status } = await service().post('/v1/templates/preview', { markdown });
    // 503: on a busy machine, the task got too little processor time.
    expect([200, 400, 503]).toContain(status);
  });

  test('leaves the next document unaffected', async () => {
    expect((await service().post('/v1/generate', { markdown: 'next' })).status).toBe(200);
  });
});
