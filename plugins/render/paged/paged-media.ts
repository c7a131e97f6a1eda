import { RenderError } from '../render-error.ts';
import { paperSize, type PrintSetup } from '../print/print-options.ts';
import { readDestinations } from '../pdf-scan.ts';
import { estimatePages, type Paper } from './page/estimate-pages.ts';
import { markSignatureFields } from './page/signature-fields.ts';
import { collectReferences } from './page/references.ts';
import { applyRunningStrings } from './page/running-strings.ts';

/**
 * The words by which the features of paged media are recognized. A document without them is printed without
 * the scripts of these features.
 */
const REFERENCES = ['data-toc', 'data-page-of', 'target-counter'] as const;
const STRINGS = 'string-set';
/** The type of a signature field as callers write it, and as the browser writes it for a loaded document. */
const SIGNATURE_FIELD = /type\s*=\s*["']?signature\b/i;
const LOADED_SIGNATURE_FIELD = 'type="signature"';
/** Precedes the number and the name of a signature field in the link that marks its place. */
export const FIELD_LINK = 'https://signature.platen.invalid/';
const MAX_SIGNATURE_FIELDS = 100;

/**
 * The limits on references and chapters. Chromium looks for every target on every page, which takes about 2
 * microseconds each. With two prints, the largest permitted product takes most of the time that a document
 * has.
 */
const LIMITS = { maxTargets: 5_000, maxTargetsTimesPages: 2_000_000, maxLevels: 10, maxChapters: 1_000 };

/**
 * How many times a document may be printed until its page numbers are correct. Two prints suffice unless the
 * numbers change the number of lines, which takes a third.
 */
const MAX_PRINTS = 4;

/** Where the browser page keeps the references of its document between two prints. */
const STATE = 'globalThis.platenReferences';

/** Evaluates an expression in the browser page, in a world that the document cannot modify. */
export type Evaluate = (expression: string) => Promise<unknown>;

/** The features of paged media that a document uses. */
export interface PagedFeatures {
  /** Tables of contents and page numbers of other elements. */
  references: boolean;
  /** `string-set` and `string()`. */
  strings: boolean;
  /** `<input type="signature">`. */
  signatureFields: boolean;
}

/** The layout of a document, with access to its browser page. */
export interface PagedLayout {
  evaluate: Evaluate;
  paper: Paper;
  firstPageNumber: number;
}

/** Returns the layout of a document without its browser page. */
export function pagedLayoutOf(setup: PrintSetup): Omit<PagedLayout, 'evaluate'> {
  const { widthIn, heightIn } = paperSize(setup);
  const { top, right, bottom, left } = setup.marginsIn;
  const toPixels = (inches: number) => inches * 96;
  return {
    paper: {
      width: toPixels(widthIn),
      height: toPixels(heightIn),
      margins: {
        top: toPixels(top),
        right: toPixels(right),
        bottom: toPixels(bottom),
        left: toPixels(left),
      },
      followsPageSize: setup.preferCssPageSize,
    },
    firstPageNumber: setup.pageNumberStart ?? 1,
  };
}

/** Returns the features that a document uses, or undefined when it uses none. */
export function findPagedFeatures(html: string): PagedFeatures | undefined {
  const references = REFERENCES.some((word) => html.includes(word));
  const strings = html.includes(STRINGS);
  const signatureFields = SIGNATURE_FIELD.test(html);
  return references || strings || signatureFields ? { references, strings, signatureFields } : undefined;
}

/** Returns the features that a loaded document uses, like {@link findPagedFeatures}. */
export async function findLoadedFeatures(evaluate: Evaluate): Promise<PagedFeatures | undefined> {
  const words = JSON.stringify([...REFERENCES, STRINGS, LOADED_SIGNATURE_FIELD]);
  const found = await evaluate(`((words) => {
    const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
    const html = Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML').get.call(root);
    return words.filter((word) => html.includes(word)).join();
  })(${words})`);
  return findPagedFeatures(String(found));
}

/**
 * Adds tables of contents, placeholders for page numbers, and running strings to a loaded document.
 * @throws {RenderError}
 */
export async function preparePagedMedia(
  { references, strings, signatureFields }: PagedFeatures,
  { evaluate, ...layout }: PagedLayout,
): Promise<void> {
  const [settings, find, estimate] = [{ ...LIMITS, ...layout }, collectReferences, estimatePages].map(
    toSource,
  );
  if (strings) await run(evaluate, `(${toSource(applyRunningStrings)})(${toSource(LIMITS)})`);
  if (signatureFields) {
    const marking = JSON.stringify({ link: FIELD_LINK, max: MAX_SIGNATURE_FIELDS });
    await run(evaluate, `(${toSource(markSignatureFields)})(${marking})`);
  }
  if (!references) return;
  await run(
    evaluate,
    `(({ fault, ...found }) => { ${STATE} = found; return { fault }; })((${find})(${settings}, ${estimate}))`,
  );
}

/**
 * Prints a prepared document again until the page numbers in it are correct. `pdf` is the first print.
 * @throws {RenderError} when each print changes the numbers.
 */
export async function completeReferences(
  pdf: Buffer,
  {
    evaluate,
    print,
    firstPageNumber,
  }: Pick<PagedLayout, 'evaluate' | 'firstPageNumber'> & { print: () => Promise<Buffer> },
): Promise<Buffer> {
  let latest = pdf;
  for (let prints = 1; ; prints += 1) {
    const pages = [...(await readDestinations(latest))].map(([name, page]) => [
      name,
      page + firstPageNumber - 1,
    ]);
    if ((await run(evaluate, `${STATE}.write(${JSON.stringify(pages)})`)) !== true) break;
    if (prints === MAX_PRINTS)
      throw new RenderError(
        'RENDER_FAILED',
        `the page numbers in the document change with each of ${MAX_PRINTS} prints; give them a fixed width`,
      );
    latest = await print();
  }
  // The browser page serves further documents.
  await evaluate(`delete ${STATE}`);
  return latest;
}

/** Returns the source text of a value for the browser page: of a self-contained function, or of data. */
function toSource(value: object): string {
  return typeof value === 'function' ? String(value) : JSON.stringify(value);
}

/**
 * Evaluates an expression in the browser page.
 * @throws {RenderError} for a fault that it returns, and for an exception.
 */
async function run(evaluate: Evaluate, expression: string): Promise<unknown> {
  const result = await evaluate(guarded(expression, 'the document cannot be prepared for printing: '));
  const { fault } = result as { fault?: string };
  if (fault !== undefined) throw new RenderError('RENDER_FAILED', fault);
  return result;
}

/**
 * Returns an expression that never throws, because an exception in the browser page is a fault of the
 * document.
 */
export function guarded(expression: string, prefix = ''): string {
  return `(() => { try { return ${expression} } catch (error) { return { fault: ${JSON.stringify(prefix)} + String(error).slice(0, 200) } } })()`;
}
