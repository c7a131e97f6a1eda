import { PNG } from 'pngjs';

/**
 * A document that is generated at test time, because its source is long and regular or because a text file
 * cannot store it reliably.
 */
export interface GeneratedDocument {
  name: string;
  html: string;
  /** `plain` documents are inert, `active` ones run scripts. */
  kind: 'plain' | 'active';
}

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

const page = (title: string, style: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head><body>${body}</body></html>`;

const SENTENCES = [
  'The mill ran on two shifts through the spring, and the stock of cream laid rose for the first time in three years.',
  'Freight took a larger share of the cost than in any year before, which the new route by rail will correct in part.',
  'Customers asked for smaller lots and shorter notice; the cutting room has been moved next to the packing hall to give them both.',
  'Water drawn from the river fell by a fifth, after the second clarifier came into use in the month of May.',
  'Nothing in these figures has been adjusted for currency, except where a note at the foot of the table says so.',
];

const sentences = (start: number, count: number): string =>
  repeat(count, (index) => `${SENTENCES[(start + index) % SENTENCES.length]} `);

/** Draws a small image of waves, different for each seed, as a PNG data URI. */
function drawPicture(seed: number, width = 240, height = 120): string {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.floor(6 * (y / height + 0.12 * Math.sin((x / width) * 6 + seed)));
      const offset = (y * width + x) * 4;
      png.data.set([30 + wave * 28, 70 + wave * 22 + seed * 5, 130 + wave * 12, 255], offset);
    }
  }
  return `data:image/png;base64,${PNG.sync.write(png, { deflateLevel: 9 }).toString('base64')}`;
}

function writeLongTable(): string {
  const style = `@page { size: A4; margin: 12mm } body { margin: 0; font: 8pt "Liberation Sans" } table { border-collapse: collapse; width: 100% }
    th { background: #203a4f; color: #fff; text-align: left } th, td { padding: 1mm 2mm } td { border-bottom: 1px solid #ddd } tr { break-inside: avoid }
    tr:nth-child(even) td { background: #f5f7f9 } .n { text-align: right } tfoot td { font-weight: bold }`;
  const rows = repeat(
    2000,
    (i) =>
      `<tr><td>${i + 1}<td>Article ${(i * 7919) % 10_007}<td>Shelf ${(i % 40) + 1}<td class="n">${(i * 31) % 997}<td class="n">${(((i * 31) % 997) * 1.17).toFixed(2)}</tr>`,
  );
  const head = '<tr><th>No.<th>Article<th>Place<th>Pieces<th>Value</tr>';
  return page(
    'Two thousand rows',
    style,
    `<h1>Inventory</h1><table><thead>${head}</thead><tfoot><tr><td colspan="5">Continued</tr></tfoot><tbody>${rows}</tbody></table>`,
  );
}

function writeReport(): string {
  const style = `@page { size: A4; margin: 22mm 20mm; @bottom-center { content: counter(page); font: 9pt "Liberation Sans"; color: #777 } }
    @page cover { margin: 0; @bottom-center { content: none } }
    body { margin: 0; font: 10.5pt/1.55 "Liberation Serif"; color: #222 } h1, h2, th, figcaption, .toc { font-family: "Liberation Sans" }
    .cover { page: cover; height: 296mm; box-sizing: border-box; padding: 95mm 24mm 0; background: linear-gradient(165deg, #0f2f3f, #0f4c5c 55%, #c9703a); color: #fff }
    .cover h1 { font-size: 40pt; line-height: 1.05; margin: 0 0 6mm; font-weight: 400; letter-spacing: -.02em }
    .toc a { display: flex; justify-content: space-between; color: inherit; text-decoration: none; border-bottom: 1px dotted #aaa; padding: 1.4mm 0 }
    section { break-before: page } h2 { font-size: 19pt; font-weight: 400; color: #0f4c5c; margin: 0 0 5mm } p { margin: 0 0 3mm; text-align: justify }
    figure { margin: 5mm 0 } figure img { width: 100%; height: 50mm; object-fit: cover; display: block } figcaption { font-size: 8pt; color: #666; margin-top: 1.5mm }
    table { width: 100%; border-collapse: collapse; font: 8.5pt "Liberation Sans"; margin-top: 4mm } th { text-align: left; border-bottom: 1.5pt solid #0f4c5c; padding: 1.5mm 2mm } td { border-bottom: .5pt solid #ddd; padding: 1.3mm 2mm } .n { text-align: right }`;
  const chapters = [
    'Summary',
    'The year',
    'Production',
    'Freight',
    'Customers',
    'Water',
    'People',
    'Outlook',
  ];
  const table = (seed: number): string =>
    `<table><thead><tr><th>Site<th class="n">Tonnes<th class="n">Cost<th class="n">Change</tr></thead><tbody>${repeat(
      9,
      (i) =>
        `<tr><td>Mill ${i + 1}<td class="n">${1200 + ((seed * 97 + i * 53) % 700)}<td class="n">${(310 + ((seed * 41 + i * 29) % 190)).toFixed(2)}<td class="n">${(((seed + i) % 9) - 4).toFixed(1)} %</tr>`,
    )}</tbody></table>`;
  const contents = chapters.map(
    (title, i) => `<a href="#c${i}"><span>${i + 1} ${title}</span><span>${i + 3}</span></a>`,
  );
  const text = chapters.map(
    (title, i) =>
      `<section id="c${i}"><h2>${i + 1} ${title}</h2><p>${sentences(i, 5)}</p><figure><img src="${drawPicture(i)}" alt="${title}"><figcaption>Figure ${i + 1}. ${title}, drawn from the books of the year.</figcaption></figure><p>${sentences(i + 2, 3)}</p>${table(i)}</section>`,
  );
  return page(
    'Annual report 2025',
    style,
    `<div class="cover"><h1>Annual<br>Report 2025</h1><div>Meridian Paper Co.</div></div><div class="toc"><h2>Contents</h2>${contents.join('')}</div>${text.join('')}`,
  );
}

function writeLongText(): string {
  const style =
    '@page { size: A5; margin: 18mm } body { margin: 0; font: 10pt/1.5 "Liberation Serif"; text-align: justify; widows: 2; orphans: 2 } p { margin: 0; text-indent: 1.2em } h2 { break-before: page }';
  const chapter = (i: number): string =>
    `<h2>Chapter ${i + 1}</h2>${repeat(24, (j) => `<p>${sentences(i + j, 3 + (j % 4))}</p>`)}`;
  return page('A long text', style, repeat(8, chapter));
}

function writeManyImages(): string {
  const style =
    '@page { margin: 10mm } body { margin: 0 } img { width: 44mm; height: 22mm; margin: 1mm; break-inside: avoid }';
  const pictures = Array.from({ length: 10 }, (_, seed) => drawPicture(seed, 60, 30));
  return page(
    'Many images',
    style,
    repeat(160, (i) => `<img ${i > 40 ? 'loading="lazy" ' : ''}src="${pictures[i % 10]}" alt="">`),
  );
}

function writeWideTable(): string {
  const style =
    '@page { size: A3 landscape; margin: 8mm } body { margin: 0; font: 6pt "Liberation Sans" } table { border-collapse: collapse } td, th { border: .3pt solid #999; padding: .6mm } th { writing-mode: vertical-rl } th:first-child, td:first-child { position: sticky; left: 0; background: #eee }';
  const head = repeat(60, (i) => `<th>Column ${i + 1}`);
  const rows = repeat(
    80,
    (row) => `<tr>${repeat(60, (column) => `<td>${(row * 61 + column * 17) % 1000}`)}</tr>`,
  );
  return page('A wide table', style, `<table><tr>${head}</tr>${rows}</table>`);
}

function writeDeepNesting(): string {
  const depth = 480;
  const open = repeat(
    depth,
    (i) => `<div style="padding-left: .2mm; background: hsl(${i % 360} 60% ${90 - (i % 30)}%)">`,
  );
  return page(
    'Deep nesting',
    'body { margin: 10mm; font: 12px "Liberation Sans" }',
    `${open}the bottom of ${depth} elements${'</div>'.repeat(depth)}<p>back at the top</p>`,
  );
}

/**
 * Writes characters that an HTML parser must replace, or that JSON or a protocol between processes might
 * corrupt.
 */
function writeControlCharacters(): string {
  const body = [
    'NUL [\u0000], bell [\u0007], escape [\u001B], delete [\u007F], C1 [\u0085]',
    'lone surrogates [\uD83D] [\uDE00], a pair [\uD83D\uDE00], U+FFFE [\uFFFE], U+FFFF [\uFFFF]',
    'line separator [\u2028], paragraph separator [\u2029], carriage returns [\r\n] [\r], form feed [\f], tab [\t]',
    'no-break [\u00A0], soft hyphen [\u00AD], zero width [\u200B], mark [\uFEFF], private use [\uE000]',
    'placeholders stay as they are: {{name}} {{{raw}}} ${value} <%= x %> $& $1 \\u0041',
  ];
  return `\uFEFF${page('Control characters', 'body { margin: 12mm; font: 14px "Liberation Sans" }', body.map((line) => `<p>${line}</p>`).join(''))}`;
}

function writeScriptedGrid(): string {
  const script = `const main = document.querySelector('main');
    for (let i = 0; i < 4000; i++) { const cell = document.createElement('i'); cell.style.background = 'hsl(' + (i * 7) % 360 + ' 60% ' + (40 + (i % 50)) + '%)'; cell.textContent = i % 100; main.append(cell); }`;
  const style =
    '@page { margin: 10mm } body { margin: 0; font: 6px "Liberation Sans" } main { display: grid; grid-template-columns: repeat(40, 1fr); gap: 1px } i { height: 14px; break-inside: avoid }';
  return page('Four thousand cells', style, `<h1>Cells</h1><main></main><script>${script}</script>`);
}

/** The generated documents, which are the same on every machine. */
export const generatedDocuments: GeneratedDocument[] = [
  { name: 'table-2000-rows', html: writeLongTable(), kind: 'plain' },
  { name: 'report-10-pages', html: writeReport(), kind: 'plain' },
  { name: 'long-text', html: writeLongText(), kind: 'plain' },
  { name: 'many-images', html: writeManyImages(), kind: 'plain' },
  { name: 'wide-table', html: writeWideTable(), kind: 'plain' },
  { name: 'deep-nesting', html: writeDeepNesting(), kind: 'plain' },
  { name: 'control-characters', html: writeControlCharacters(), kind: 'plain' },
  { name: 'scripted-grid', html: writeScriptedGrid(), kind: 'active' },
];
