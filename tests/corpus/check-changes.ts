import type { Result } from '@platen/pdf';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { PNG } from 'pngjs';
import { pdfInfo, perceivedDifference } from '../support/pdf/pdf.ts';
import { runOn } from '../support/pdf/pdf-operations.ts';
import { drawWithPdfium } from './check-drawing.ts';
import { compare, type Inspected } from './compare.ts';

// Checks of operations that change the data of a document but not its pages, and of `compare` and `validate`,
// which only read.

/** A bookmark in the JSON of qpdf. */
interface Bookmark {
  title: string;
  destpageposfrom1: number;
  kids: Bookmark[];
}

/** Messages with which an operation may reject a file. */
const REFUSALS = [/^is signed/, /^has a signature/, /permissions do not allow changes/];
const ATTACHED = 'a,b\n1,2\n';

function loadTasks(sandbox: Sandbox) {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const at = (name: string) => new URL(`${name}/task.ts`, operations);
  return {
    properties: sandbox.load<typeof import('../../plugins/pdf-tools/operations/properties/task.ts')>(
      at('properties'),
    ),
    attachments: sandbox.load<typeof import('../../plugins/pdf-tools/operations/attachments/task.ts')>(
      at('attachments'),
    ),
    outline: sandbox.load<typeof import('../../plugins/pdf-tools/operations/outline/task.ts')>(at('outline')),
    pages: sandbox.load<typeof import('../../plugins/pdf-tools/operations/pages/task.ts')>(at('pages')),
    compare: sandbox.load<typeof import('../../plugins/pdf-tools/operations/compare/task.ts')>(at('compare')),
    validate: sandbox.load<typeof import('../../plugins/pdf-tools/operations/validate/task.ts')>(
      at('validate'),
    ),
  };
}

/** Checks that poppler reads the written properties, and that the rest of the document stays the same. */
export async function checkProperties(sandbox: Sandbox, seen: Inspected): Promise<string[]> {
  const set = { title: 'Žluť 你', author: 'Ada', keywords: ['x', 'y'] };
  const result = await loadTasks(sandbox).properties.write({ pdf: { raw: seen.pdf }, set });
  return checkChange(result, seen, async (pdf) => {
    const { Title, Author, Keywords } = await pdfInfo(pdf);
    const read = JSON.stringify([Title, Author, Keywords]);
    return read === JSON.stringify(['Žluť 你', 'Ada', 'x, y']) ? [] : [`poppler reads ${read}`];
  });
}

/** Checks that qpdf extracts an added attachment. */
export async function checkAttachments(sandbox: Sandbox, seen: Inspected): Promise<string[]> {
  const add = [{ name: 'platen.csv', data: Buffer.from(ATTACHED).toString('base64') }];
  const request = { pdf: { raw: seen.pdf }, add, remove: undefined };
  const result = await loadTasks(sandbox).attachments.write(request);
  return checkChange(result, seen, (pdf) => {
    const read = runOn(pdf, ['qpdf', '--show-attachment=platen.csv', '{}']);
    return read.startsWith(ATTACHED) ? [] : [`qpdf extracts ${read.slice(0, 100)}`];
  });
}

/** Checks that qpdf reads a new outline, which leads to the first and the last page. */
export async function checkOutline(sandbox: Sandbox, seen: Inspected): Promise<string[]> {
  const last = seen.images.length;
  const set = [{ title: 'Start', page: 1, children: [{ title: 'End 終', page: last }] }];
  const result = await loadTasks(sandbox).outline.write({ pdf: { raw: seen.pdf }, set });
  const changed = { ...seen, census: { ...seen.census, bookmarks: 2 } };
  return checkChange(result, changed, (pdf) => {
    const text = runOn(pdf, ['qpdf', '--no-warn', '--json', '--json-key=outlines', '{}']);
    const { outlines }: { outlines: Bookmark[] } = JSON.parse(text);
    const items = outlines.flatMap((item) => [item, ...item.kids]);
    const [titles, pages] = [
      items.map(({ title }) => title),
      items.map(({ destpageposfrom1 }) => destpageposfrom1),
    ];
    const isRead = titles.join() === 'Start,End 終' && pages.join() === `1,${last}`;
    return isRead ? [] : [`qpdf reads the titles ${titles.join()} and the pages ${pages.join()}`];
  });
}

async function checkChange(
  result: Result<{ pdf: Uint8Array }>,
  { pdf: source, images, census }: Inspected,
  check: (pdf: Uint8Array) => string[] | Promise<string[]>,
): Promise<string[]> {
  if (!result.ok) return REFUSALS.some((reason) => reason.test(result.message)) ? [] : [result.message];
  const { pdf } = result.value;
  return [...(await compare(pdf, images, { ...census, source })), ...(await check(pdf))];
}

/**
 * Checks that a file is equal to itself, and that its first page differs from a page that looks different in
 * poppler and PDFium.
 */
export async function checkCompare(sandbox: Sandbox, { pdf, images }: Inspected): Promise<string[]> {
  const { compare: task, pages } = loadTasks(sandbox);
  const run = (other: Uint8Array) =>
    task.compare({ pdfs: [{ raw: pdf }, { raw: other }], dpi: 36, tolerance: 0.01 }, { timeoutMs: 60_000 });
  const same = await run(pdf);
  if (!same.ok) return [same.message];
  const faults = same.value
    .filter(({ equal }) => !equal)
    .map(({ page }) => `page ${page} differs from itself`);
  const drawn = await drawWithPdfium(pdf);
  const differs = (pictures: readonly PNG[], page: number) =>
    perceivedDifference(pictures.slice(0, 1), pictures.slice(page, page + 1)).changed > 0;
  const different = images.findIndex((_, page) => differs(images, page) && differs(drawn, page));
  if (different < 0) return faults;
  const arranged = await pages.arrange({
    pdf: { raw: pdf },
    pages: `${different + 1}, 2-`,
    deleted: undefined,
  });
  if (!arranged.ok) return [...faults, arranged.message];
  const other = await run(arranged.value.pdf);
  if (!other.ok) return [...faults, other.message];
  if (other.value[0]?.equal !== false) faults.push(`page ${different + 1} is equal to page 1`);
  return faults;
}

/** Checks that the reported claim of PDF/A agrees with the metadata that poppler extracts. */
export async function checkValidate(sandbox: Sandbox, { pdf }: Inspected): Promise<string[]> {
  const limits = { timeoutMs: 60_000 };
  const request = { pdf: { raw: pdf }, profile: undefined };
  const result = await loadTasks(sandbox).validate.validate(request, limits);
  if (!result.ok) return [result.message];
  const { claims } = JSON.parse(new TextDecoder().decode(result.value)) as { claims: string[] };
  const metadata = runOn(pdf, ['pdfinfo', '-meta', '{}']);
  const valueOf = (name: string) =>
    new RegExp(`pdfaid:${name}(?:\\s*=\\s*["']|>)\\s*(\\w+)`).exec(metadata)?.[1] ?? '';
  const expected = `pdfa-${valueOf('part')}${valueOf('conformance')}`.toLowerCase();
  const claimed = claims.find((claim) => claim.startsWith('pdfa-')) ?? 'pdfa-';
  return claimed === expected ? [] : [`claims ${claimed}, not ${expected}`];
}
