import type { CheckedCase, TemplateCase } from '../data/types.ts';

/** The most characters of a name. */
export const MAX_NAME_LENGTH = 64;

/** Returns the path of a case in the API. */
export function pathOfCase(template: string, name: string): string {
  return `/v1/templates/${template}/cases/${encodeURIComponent(name)}`;
}

/** Returns the path on this service of a link to an image. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * The state of the pages of a case. A `waiting` case is being checked. The states `accepted` and `changed` are
 * for cases that were not checked: a new version of the browser changes the pages of a `changed` case.
 */
export type CaseState = CheckedCase['status'] | 'waiting' | 'accepted' | 'changed';

/** The words for the states, and the kinds of their badges. */
export const STATES: Readonly<Record<CaseState, readonly [label: string, badge: string]>> = {
  equal: ['Equal', 'good'],
  different: ['Different', 'warn'],
  new: ['New', 'accent'],
  failed: ['Failed', 'bad'],
  waiting: ['Waiting', ''],
  accepted: ['Not run', ''],
  changed: ['Changed', 'warn'],
};

/** A page of a case, with the paths of the images that there are. */
export interface ComparedPage {
  page: number;
  accepted: string | undefined;
  current: string | undefined;
  differences: string | undefined;
  /** `undefined` for a page that was not checked. */
  found: CheckedCase['pages'][number] | undefined;
}

/** Returns a page of a case. `widthPx` is the width of the image of the accepted page. */
export function pageOf(
  entry: TemplateCase,
  result: CheckedCase | undefined,
  { page, widthPx }: { page: number; widthPx: number },
): ComparedPage {
  const { template_id: template, name, accepted } = entry;
  const found = result?.pages.find((each) => each.page === page);
  return {
    page,
    accepted:
      accepted && page <= accepted.pages
        ? `${pathOfCase(template, name)}/pages/${page}.png?width=${widthPx}`
        : undefined,
    current: found?.image_url ? pathOf(found.image_url) : undefined,
    differences: found?.diff_url ? pathOf(found.diff_url) : undefined,
    found,
  };
}

/** Returns the state of the pages of a case. */
export function stateOf(
  { name, accepted, browser_change: change }: TemplateCase,
  { results, waiting }: { results: ReadonlyMap<string, CheckedCase>; waiting: ReadonlySet<string> },
): CaseState {
  if (waiting.has(name)) return 'waiting';
  const found = results.get(name);
  if (found) return found.status;
  if (change?.status === 'failed') return 'failed';
  if (change?.status === 'different') return 'changed';
  return accepted ? 'accepted' : 'new';
}

/** Tells whether a check found pages that can become the accepted ones. */
export function isAcceptable(result: CheckedCase | undefined): boolean {
  return result?.status === 'different' || result?.status === 'new';
}

/** Returns the result that the same pages have after they were accepted. */
export function acceptedResult(result: CheckedCase): CheckedCase {
  const pages = result.pages.filter(({ image_url: url }) => url !== null);
  return {
    ...result,
    status: 'equal',
    pages: pages.map((page) => ({ ...page, equal: true, changed_fraction: 0, diff_url: null })),
    layout: [],
  };
}

/** Returns a name for a copy that no other case has. */
export function nameOfCopy(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? ' copy' : ` copy ${number}`;
    const copy = `${name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;
    if (!taken.includes(copy)) return copy;
  }
}

/** Counts the cases in each state, as in "2 equal, 1 new". */
export function summaryOf(states: readonly (CaseState | undefined)[]): string {
  return (['different', 'failed', 'new', 'equal'] as const)
    .map((state) => [states.filter((each) => each === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state}`)
    .join(', ');
}
