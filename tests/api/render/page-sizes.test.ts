import { expect, test } from 'bun:test';
import { describeWithPdfTools, pageSizes } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/** Prints a document. Returns the sizes of its pages in millimetres, and its warnings. */
async function print(html: string, options: object = {}): Promise<{ sizes: string[]; warnings: unknown[] }> {
  const { status, body } = await service().post('/v1/generate', { html, options, output: 'base64' });
  expect(status).toBe(200);
  const points = await pageSizes(Buffer.from(body.data, 'base64'));
  const millimetres = (length: number) => Math.round((length / 72) * 25.4);
  return {
    sizes: points.map(({ width, height }) => `${millimetres(width)} x ${millimetres(height)}`),
    warnings: body.warnings,
  };
}

const ignored = (size: string) => ({
  code: 'PAGE_SIZE_IGNORED',
  message: `the size "${size}" of @page is unknown, so the page has another size: write lengths such as 105mm 148mm`,
  path: null,
});

describeWithPdfTools('names of page sizes that Chromium does not know', () => {
  test.each([
    ['A6', '@page { size: A6 }', ['105 x 148']],
    ['landscape', '@page{margin:0;size:landscape a6}', ['148 x 105']],
    ['a later one wins', '@page { size: A5 } @page { size: A7 !important } @page { size: A4 }', ['74 x 105']],
    ['a known one in the same rule', '@page { size: A6; size: A5; size: B99 }', ['148 x 210']],
    [
      'after a margin box',
      '@page { @top-left { content: "size: A0;"; font-size: 9pt } size: B6 }',
      ['125 x 176'],
    ],
    ['in a media query', '@media print { @page { /* size: A9 */ size: /* small */ A8 } }', ['52 x 74']],
    ['after a faulty rule', '@page :nope { size: A10 } @page { size: tabloid }', ['279 x 432']],
  ])('are printed: %s', async (_, css, sizes) => {
    expect(await print(`<style>${css}</style><p>x</p>`)).toEqual({ sizes, warnings: [] });
  });

  test('are printed on named pages, and in documents with scripts and page numbers', async () => {
    const html = `<style>@page { size: A5 } @page card { size: A6 landscape } p { page: card }
      a::after { content: target-counter(attr(href), page) }</style><script></script>
      <h1><form name="querySelectorAll"></form><a href="#p">See </a></h1><p id="p">x</p>`;
    expect(await print(html)).toEqual({ sizes: ['148 x 210', '148 x 105'], warnings: [] });
  });

  test('give a warning if they do not exist, and the paper of the request is printed', async () => {
    expect(await print('<style>@page { size: A66 } @page :first { size: 210mm x 148mm }</style>x')).toEqual({
      sizes: ['210 x 297'],
      warnings: [ignored('A66'), ignored('210mm x 148mm')],
    });
    const many = Array.from({ length: 9 }, (_, index) => `@page { size: X${index}${'x'.repeat(300)} }`);
    const { warnings } = await print(`<style>${many.join('')}</style>x`);
    expect(warnings).toHaveLength(5);
    expect(JSON.stringify(warnings).length).toBeLessThan(2_000);
  });

  test('have no effect if the request names a format, or outside of style sheets', async () => {
    const html = '<style>@page { size: A6 }</style>x';
    expect(await print(html, { format: 'A5' })).toEqual({ sizes: ['148 x 210'], warnings: [] });
    const shown = '<style>@page { size: A5 }</style><pre>@page { size: A6 } @page { size: Nope }';
    expect(await print(shown)).toEqual({ sizes: ['148 x 210'], warnings: [] });
  });
});
