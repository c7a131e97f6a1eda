import { RenderError } from '../render-error.ts';
import { paperSize, type PrintSetup } from '../print/print-options.ts';
import { readPlaces } from '../pdf-scan.ts';
import { STATE, type PagedFeature, type PagedSettings } from './feature.ts';
import { PAGED_FEATURES } from './features.ts';
import { showsSections } from '../print/section-variables.ts';
import type { PlacesOfPrint } from './page/places-of-print.ts';
import type { PagedFault, Written } from './page/prepared.ts';
import type { SectionPages } from './page/sections.ts';

/** Evaluates an expression in the browser page, in a world that the document cannot modify. */
export type Evaluate = (expression: string) => Promise<unknown>;

/** The features of paged media that a document uses; at least one. */
export type PagedFeatures = readonly PagedFeature[];

/** The layout of a document, with access to its browser page. */
export interface PagedLayout extends PagedSettings {
  evaluate: Evaluate;
}

/** Returns the layout of a document without its browser page. */
export function pagedLayoutOf(setup: PrintSetup): PagedSettings {
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
    },
    firstPageNumber: setup.pageNumberStart ?? 1,
    scale: setup.scale,
    usesPageSize: setup.preferCssPageSize,
    isSinglePage: setup.singlePage === true,
    showsSections: showsSections(setup),
  };
}

/** Returns the features that a document or its headers use, or undefined when they use none. */
export function findPagedFeatures(html: string, setup: PrintSetup): PagedFeatures | undefined {
  const headers = { showsSections: showsSections(setup) };
  const found = PAGED_FEATURES.filter(
    ({ words, within = '', isNeededFor }) =>
      isNeededFor?.(headers) === true ||
      (html.includes(within) &&
        words.some((word) => (typeof word === 'string' ? html.includes(word) : word.test(html)))),
  );
  return found.length > 0 ? found : undefined;
}

/** Returns the features that a loaded document uses, like {@link findPagedFeatures}. */
export async function findLoadedFeatures({
  evaluate,
  ...headers
}: PagedLayout): Promise<PagedFeatures | undefined> {
  const sources = PAGED_FEATURES.map(
    ({ words, within = '' }) => `{ words: [${words.map(wordSource).join()}], within: ${wordSource(within)} }`,
  );
  const found = (await evaluate(`((features) => {
    const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
    const html = Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML').get.call(root);
    return features.map(({ words, within }) => html.includes(within) && words.some((word) => (typeof word === 'string' ? html.includes(word) : word.test(html))));
  })([${sources.join()}])`)) as boolean[];
  const features = PAGED_FEATURES.filter(
    ({ isNeededFor }, index) => found[index] === true || isNeededFor?.(headers) === true,
  );
  return features.length > 0 ? features : undefined;
}

function wordSource(word: string | RegExp): string {
  return typeof word === 'string' ? JSON.stringify(word) : String(word);
}

/**
 * Prepares a loaded document for the features that it uses. Returns the features that change the document
 * after a print, and the sizes of `@page` rules that the browser ignores.
 * @throws {RenderError}
 */
export async function preparePagedMedia(
  features: PagedFeatures,
  { evaluate, ...settings }: PagedLayout,
): Promise<{ writing: PagedFeatures; unknownSizes: readonly string[] }> {
  // The browser page may have served another document, whose preparation failed.
  await evaluate(`void (${STATE} = {})`);
  const writing: PagedFeature[] = [];
  const unknownSizes: string[] = [];
  for (const feature of features) {
    const key = `${STATE}[${JSON.stringify(feature.name)}]`;
    const { fault, writes, unknown } = (await evaluate(
      guarded(
        `((prepared) => { ${key} = prepared; return { fault: prepared.fault, writes: prepared.write !== undefined, unknown: prepared.unknownSizes }; })(${feature.prepare(settings)})`,
        'the document cannot be prepared for printing: ',
      ),
    )) as { fault?: PagedFault; writes?: boolean; unknown?: string[] };
    if (fault !== undefined) throw toFailure(fault);
    unknownSizes.push(...(unknown ?? []));
    if (writes) writing.push(feature);
  }
  writing.sort((a, b) => Number(b.measures ?? false) - Number(a.measures ?? false));
  return { writing, unknownSizes };
}

/** How {@link completePages} reaches the document. */
interface Completion {
  /** Evaluates an expression in the media type of the print. */
  evaluate: Evaluate;
  print: () => Promise<Buffer>;
}

/**
 * Prints a prepared document again until no feature changes it. `pdf` is the first print. Returns the last
 * one with the pages of the sections.
 * @throws {RenderError} for a fault of the document, and when a feature does not settle.
 */
export async function completePages(
  pdf: Buffer,
  features: PagedFeatures,
  { evaluate, print }: Completion,
): Promise<{ pdf: Buffer; sections: readonly SectionPages[] }> {
  let latest = pdf;
  let sections: readonly SectionPages[] = [];
  /** How many prints each feature has changed. A print that changed for other reasons does not count. */
  const changes = new Map<PagedFeature, number>();
  for (;;) {
    const results = await writeAll(await readPlaces(latest), features, evaluate);
    for (const { written } of results) sections = written.sections ?? sections;
    const changed = results.filter(({ written }) => written.changed);
    if (changed.length === 0) break;
    for (const { feature, written } of changed) {
      const count = (changes.get(feature) ?? 0) + 1;
      changes.set(feature, count);
      const { maxPrints = 1, explain } = feature.limit ?? {};
      if (count >= maxPrints) {
        const element = written.element ?? 'the document';
        throw new RenderError('RENDER_FAILED', explain?.(element) ?? `${element} changes with each print`);
      }
    }
    latest = await print();
  }
  // The browser page serves further documents.
  await evaluate(`delete ${STATE}`);
  return { pdf: latest, sections };
}

/** Lets each feature change the document after a print. @throws {RenderError} for a fault of the document. */
async function writeAll(
  places: PlacesOfPrint,
  features: PagedFeatures,
  evaluate: Evaluate,
): Promise<{ feature: PagedFeature; written: Written }[]> {
  const names = JSON.stringify(features.map(({ name }) => name));
  const written = (await evaluate(
    guarded(
      `((places) => {
        const written = [];
        for (const name of ${names}) {
          written.push(${STATE}[name].write(places));
          if (written.at(-1).isMeasurement) break;
        }
        return written;
      })(${JSON.stringify(places)})`,
      'the document cannot be completed: ',
    ),
  )) as Written[] | { fault: string };
  if (!Array.isArray(written)) throw toFailure(written.fault);
  return written.map((one, index) => {
    if (one.fault !== undefined) throw toFailure(one.fault);
    return { feature: features[index] as PagedFeature, written: one };
  });
}

function toFailure(fault: PagedFault): RenderError {
  const { message, code = 'RENDER_FAILED' } = typeof fault === 'string' ? { message: fault } : fault;
  return new RenderError(code, message);
}

/**
 * Returns an expression that never throws, because an exception in the browser page is a fault of the
 * document.
 */
export function guarded(expression: string, prefix = ''): string {
  return `(() => { try { return ${expression} } catch (error) { return { fault: ${JSON.stringify(prefix)} + String(error).slice(0, 200) } } })()`;
}
