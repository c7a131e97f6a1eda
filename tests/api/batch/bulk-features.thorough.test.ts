import { expect, setDefaultTimeout, test } from 'bun:test';
import { carriedTable } from '../../documents/carried-table.ts';
import { noteFaults } from '../../documents/footnotes.ts';
import { ended, itemsOf, sendBulk } from '../../support/batch/bulk.ts';
import { describeWithPdfTools, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { readQrCode } from '../../support/pdf/qr-code.ts';
import { sharedService } from '../../support/service/shared-service.ts';

setDefaultTimeout(120_000);

const service = sharedService();

const MARGIN_MM = 12;
const CODE_MM = 40;
const DPI = 300;
const SENTENCE = 'Words that fill the page and go on for some time. ';

/** A template whose data chooses the features of each item. */
const HTML = `<!doctype html><html lang="{{@language}}"><head><style>
  @page { size: 105mm 148mm; margin: ${MARGIN_MM}mm } body { margin: 0; font: 12px/1.3 sans-serif }
  section, h2 { break-before: page }
</style>
{{#if sections}}<style>@page { margin-top: 20mm;
  @top-left { content: string(section-title) " " counter(section-page) " of " counter(section-pages) } }</style>{{/if}}
</head><body>
{{#if payee}}{{epcQr name=payee iban=iban amount=total text=number size="${CODE_MM}mm"}}{{/if}}
<p>{{t "invoice"}} {{number}}: {{formatNumber total decimals=2}}</p>
{{#if rows}}${carriedTable({
  rows: 1,
  row: () =>
    '{{#each rows}}<tr><td>({{this}})</td><td data-sum="net">{{formatNumber this decimals=2}}</td></tr>{{/each}}',
})}{{/if}}
{{#each notes}}<p>${SENTENCE.repeat(4)}call{{this}}x<span data-footnote>note{{this}}x</span></p>{{/each}}
{{#each sections}}<section data-section="{{this}}"><p>${SENTENCE.repeat(60)}</p></section>{{/each}}
{{#if chapters}}<nav data-toc="h2"></nav>{{/if}}
{{#each chapters}}<h2>Chapter {{this}}</h2>{{/each}}
</body></html>`;

const TEMPLATE = {
  name: 'Mixed items',
  html_content: HTML,
  translations: { en: { invoice: 'Invoice' }, de: { invoice: 'Rechnung' }, fr: { invoice: 'Facture' } },
  default_locale: 'en',
};

const count = (length: number, first: number) => Array.from({ length }, (_, index) => first + index);
const ITEMS = [
  { number: 'plain', total: 1234.5 },
  { number: 'carried', total: 1, rows: count(60, 1) },
  { number: 'carried-de', total: 1, rows: count(40, 1001), locale: 'de-DE' },
  { number: 'noted', total: 1, notes: count(8, 0) },
  { number: 'sections', total: 1, sections: ['Terms', 'Prices'] },
  { number: 'chapters', total: 1, chapters: ['A', 'B', 'C'] },
  { number: 'paid', total: 12.5, payee: 'Stadtwerke', iban: 'DE89 3704 0044 0532 0130 00', locale: 'fr' },
  { number: 'plain-de', total: 1234.5, locale: 'de' },
];

/** Returns the sums that each page of a table with carried rows shows, and the sums that it must show. */
function sumsOf(pages: readonly string[]) {
  let sum = 0;
  return pages.map((text, index) => {
    const numbers = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, digits = '']) => Number(digits.replaceAll(/[,.]/g, '')));
    const brought = index > 0 ? [sum] : [];
    const items = numbers(/\((\d+)\)/g);
    for (const item of items) sum += item;
    const isLast = index === pages.length - 1;
    return {
      items: items.length > 0,
      found: [numbers(/B=([\d.,]+)/g), numbers(/C=([\d.,]+)/g), numbers(/T=([\d.,]+)/g)],
      expected: [brought, isLast ? [] : [sum], isLast ? [sum] : []],
    };
  });
}

describeWithPdfTools('items of a bulk batch', () => {
  test('have the features of their data: paged media, translations and payment codes', async () => {
    const stored = await service().post('/v1/templates', TEMPLATE);
    expect([stored.status, stored.body.error]).toEqual([201, undefined]);
    const settings = { template: stored.body.id, file_name: '{{number}}' };
    const lines = ITEMS.map((item) => `${JSON.stringify(item)}\n`).join('');
    const { body } = await sendBulk({ service: service(), settings }, lines);
    expect(await ended(service(), body.batch_id)).toMatchObject({ completed: ITEMS.length, failed: 0 });
    const pdfs = new Map<string, Uint8Array>();
    for (const item of await itemsOf(service(), body.batch_id))
      pdfs.set(item.file_name, await service().download(item.url));
    const pdfOf = (name: string) => pdfs.get(`${name}.pdf`) ?? new Uint8Array();
    const pagesOf = async (name: string) =>
      (await pdfText(pdfOf(name)))
        .split('\f')
        .slice(0, -1)
        .map((page) => page.replaceAll(/\s+/g, ' ').trim());

    expect(await pagesOf('plain')).toEqual(['Invoice plain: 1,234.50']);
    expect(await pagesOf('plain-de')).toEqual(['Rechnung plain-de: 1.234,50']);

    for (const name of ['carried', 'carried-de']) {
      const sums = sumsOf(await pagesOf(name));
      expect(sums.length).toBeGreaterThan(1);
      for (const { items, found, expected } of sums) expect([items, found]).toEqual([true, expected]);
    }
    expect((await pagesOf('carried-de'))[0]).toStartWith('Rechnung carried-de: 1,00');

    const marginPt = (MARGIN_MM * 72) / 25.4;
    expect(await noteFaults(pdfOf('noted'), { count: 8, marginPt })).toEqual([]);
    expect((await pagesOf('noted')).length).toBeGreaterThan(1);

    const sections = await pagesOf('sections');
    const ofTerms = sections.filter((page) => page.startsWith('Terms')).length;
    const ofPrices = sections.filter((page) => page.startsWith('Prices')).length;
    expect([ofTerms > 1, ofPrices > 1, sections.length]).toEqual([true, true, 1 + ofTerms + ofPrices]);
    for (let page = 1; page <= ofTerms; page += 1)
      expect(sections[page]).toStartWith(`Terms ${page} of ${ofTerms} `);
    for (let page = 1; page <= ofPrices; page += 1)
      expect(sections[ofTerms + page]).toStartWith(`Prices ${page} of ${ofPrices} `);

    expect(await pagesOf('chapters')).toEqual([
      'Invoice chapters: 1.00 Chapter A 2 Chapter B 3 Chapter C 4',
      'Chapter A',
      'Chapter B',
      'Chapter C',
    ]);

    expect(await pagesOf('paid')).toEqual(['Facture paid: 12,50']);
    const [page] = await rasterise(pdfOf('paid'), { dpi: DPI });
    expect(readQrCode(page!, { x: MARGIN_MM, y: MARGIN_MM, side: CODE_MM }, DPI)).toBe(
      'BCD\n002\n1\nSCT\n\nStadtwerke\nDE89370400440532013000\nEUR12.50\n\n\npaid',
    );
  });
});
