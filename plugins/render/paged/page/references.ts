import type { formatCounter } from './format-counter.ts';
import type { PlacesOfPrint } from './places-of-print.ts';
import type { estimatePages, PageStyle, Paper } from './estimate-pages.ts';

/** The page of each target, as {@link PlacesOfPrint} lists it. */
interface TargetPlaces {
  destinations: readonly Pick<PlacesOfPrint['destinations'][number], 'name' | 'page'>[];
}

/** The references of a document that {@link collectReferences} found. */
export interface References {
  /**
   * Writes the page numbers. References without a destination show `?`; entries of tables of contents without
   * a destination are removed.
   */
  write(places: TargetPlaces): { changed: boolean };
}

export interface ReferenceSettings {
  maxTargets: number;
  /**
   * The limit on the number of targets times the number of pages, which determines how long Chromium prints.
   */
  maxTargetsTimesPages: number;
  maxLevels: number;
  /** The paper, unless `@page` in the document says otherwise. */
  paper: Paper;
  firstPageNumber: number;
}

/** The result of {@link collectReferences}: the references, or the fault of the document. */
export type CollectedReferences = References | { fault: string };

/**
 * Fills the tables of contents, and finds everything that shows the page number of another element: entries
 * of tables of contents, `data-page-of`, and `target-counter` in style sheets. Chromium writes destinations
 * only for linked elements, so a hidden link is added for each target.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 */
export function collectReferences(
  { maxTargets, maxTargetsTimesPages, maxLevels, paper, firstPageNumber }: ReferenceSettings,
  estimate: typeof estimatePages,
  formatted: typeof formatCounter,
): CollectedReferences {
  /** Takes the place of a page number until it is estimated. */
  const PLACEHOLDER = '000';
  const select = Document.prototype.querySelectorAll.bind(document);
  const create = Document.prototype.createElement.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  /** Reads a property of the document through its prototype. */
  const readDocument = <Name extends keyof Document>(property: Name): Document[Name] =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as Document[Name];
  const head = (readDocument('head') as HTMLElement | null) ?? readDocument('documentElement');
  const url = readDocument('URL').split('#')[0] ?? '';

  /** Everything that shows a page number, with the fragment of its target. */
  const shown: { fragment: string; text: string; show(text: string): void; drop?(): void }[] = [];
  /** The ids of the targets by their fragments. */
  const targets = new Map<string, string>();
  // In the head, where they match no selector such as `body > :last-child`.
  const links = create('div');

  class Fault extends Error {}

  /** Returns the fragment of an element's id, or undefined when it cannot be part of a URL. */
  const fragmentOf = (id: string): string | undefined => {
    try {
      return encodeURIComponent(id);
    } catch {
      return undefined;
    }
  };

  const addTarget = (id: string): string | undefined => {
    const fragment = fragmentOf(id);
    if (fragment === undefined || targets.has(fragment)) return fragment;
    if (targets.size >= maxTargets)
      throw new Fault(`the document shows the pages of more than ${maxTargets} elements`);
    targets.set(fragment, id);
    const link = create('a');
    link.setAttribute('href', `#${fragment}`);
    links.append(link);
    return fragment;
  };

  /** Decodes the fragment of a reference such as `#chapter-2`; undefined for another document. */
  const targetOf = (reference: string | null): string | undefined => {
    const hash = reference?.trim() ?? '';
    const at = hash.indexOf('#');
    if (at < 0 || (at > 0 && hash.slice(0, at) !== url)) return undefined;
    const id = hash.slice(at + 1);
    if (byId(id)) return id;
    try {
      return decodeURIComponent(id);
    } catch {
      return id;
    }
  };

  /** Returns the text of a heading without the calls of its footnotes. */
  const textOf = (heading: Element): string => {
    const copy = heading.cloneNode(true) as Element;
    for (const call of copy.querySelectorAll('.footnote-call')) call.remove();
    return copy.textContent;
  };

  const fillContents = (nav: HTMLElement): void => {
    const selectors = (nav.dataset['toc'] || 'h1, h2, h3').split(',').map((selector) => selector.trim());
    if (selectors.length > maxLevels)
      throw new Fault(`data-toc has ${selectors.length} levels; the limit is ${maxLevels}`);
    const found = new Map<Element, number>();
    for (const [level, selector] of selectors.entries()) {
      try {
        for (const heading of select(selector)) if (!found.has(heading)) found.set(heading, level);
      } catch {
        throw new Fault(`data-toc: ${JSON.stringify(selector.slice(0, 100))} is not a valid selector`);
      }
    }
    const headings = [...select(selectors.join(','))].filter((heading) => !heading.closest('nav[data-toc]'));
    const root = create('ol');
    const open: { level: number; list: HTMLElement; item: HTMLElement | undefined }[] = [
      { level: -1, list: root, item: undefined },
    ];
    for (const heading of headings) {
      const level = found.get(heading) ?? 0;
      const title = textOf(heading).replaceAll(/\s+/g, ' ').trim();
      if (title === '') continue;
      while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop();
      let top = open.at(-1);
      if (top && top.level < level && top.item) {
        const list = create('ol');
        top.item.append(list);
        open.push((top = { level, list, item: undefined }));
      }
      if (!top) continue;
      top.level = level;
      top.item = addEntry(top.list, heading, { title, level });
    }
    nav.append(root);
  };

  let generated = 0;
  const addEntry = (
    list: HTMLElement,
    heading: Element,
    entry: { title: string; level: number },
  ): HTMLElement => {
    if (heading.id === '') {
      do generated += 1;
      while (byId(`toc-${generated}`));
      heading.id = `toc-${generated}`;
    }
    const item = create('li');
    item.className = `toc-level-${entry.level + 1}`;
    const link = create('a');
    const fragment = addTarget(heading.id);
    link.setAttribute('href', `#${fragment ?? ''}`);
    const [title, leader, page] = ['title', 'leader', 'page'].map((part) => {
      const span = create('span');
      span.className = `toc-${part}`;
      return span;
    }) as [HTMLElement, HTMLElement, HTMLElement];
    title.textContent = entry.title;
    page.textContent = PLACEHOLDER;
    link.append(title, leader, page);
    item.append(link);
    list.append(item);
    shown.push({
      fragment: fragment ?? '',
      text: PLACEHOLDER,
      show: (text) => (page.textContent = text),
      drop: () => link.remove(),
    });
    return item;
  };

  const styleContents = (): void => {
    const style = create('style');
    style.textContent = `
      :where(nav[data-toc] ol) { list-style: none; margin: 0; padding: 0 }
      :where(nav[data-toc] ol ol) { padding-left: 1.5em }
      :where(nav[data-toc] li a) { display: flex; align-items: baseline; gap: 0.4em; color: inherit; text-decoration: none; break-inside: avoid }
      :where(nav[data-toc] .toc-leader) { flex: 1; min-width: 1em; border-bottom: 1px dotted color-mix(in srgb, currentColor 50%, transparent) }
      :where(nav[data-toc] .toc-page) { font-variant-numeric: tabular-nums }`;
    // Before all other styles, so that they win.
    head.prepend(style);
  };

  const findPageSpans = (): void => {
    for (const element of select('[data-page-of]')) {
      if (!(element instanceof HTMLElement)) continue;
      const id = targetOf(element.getAttribute('data-page-of'));
      const fragment = id === undefined ? undefined : addTarget(id);
      element.textContent = PLACEHOLDER;
      shown.push({
        fragment: fragment ?? '',
        text: PLACEHOLDER,
        show: (text) => (element.textContent = text),
      });
    }
  };

  const format = (text: string, style: string): string =>
    /^\d+$/.test(text) ? formatted(Number(text), style) : text;

  const CALL = 'target-counter(';
  const PSEUDO_ELEMENT = /::?(?:before|after|marker)\b/g;
  /** The elements that already have the attribute, by its name. */
  const marked = new Map<string, Set<Element>>();

  /** Returns the elements that match, or an empty list for a selector that is valid only in a style sheet. */
  const find = (selector: string): Iterable<Element> => {
    try {
      return select(selector);
    } catch {
      return [];
    }
  };

  /** Chromium parses `target-counter` but shows nothing. Replaces it with an attribute of each element. */
  const rewriteCounters = (style: CSSStyleDeclaration, selector: string): void => {
    const content = style.getPropertyValue('content');
    if (!content.includes('target-counter')) return;
    const used: { attribute: string; source: string; counterStyle: string }[] = [];
    const [start = '', ...calls] = content.split(CALL);
    const replaced = calls.map((text) => {
      // The arguments end at the second parenthesis: attr(href), page)
      const end = text.indexOf(')', text.indexOf(')') + 1);
      const [reference = '', counter = '', counterStyle = 'decimal'] = text
        .slice(0, end)
        .split(',')
        .map((argument) => argument.trim());
      const source = /^attr\(\s*([\w-]+)/.exec(reference)?.[1];
      if (source === undefined || counter !== 'page') return CALL + text;
      const attribute = `data-page-of-${source}-${counterStyle}`;
      used.push({ attribute, source, counterStyle });
      return `attr(${attribute})${text.slice(end + 1)}`;
    });
    if (used.length === 0) return;
    style.setProperty('content', start + replaced.join(''), style.getPropertyPriority('content'));
    const elements = find(selector.replaceAll(PSEUDO_ELEMENT, ':is(*)'));
    for (const { attribute, source, counterStyle } of used) {
      const known = marked.get(attribute) ?? new Set();
      marked.set(attribute, known);
      for (const element of elements) {
        if (known.has(element)) continue;
        known.add(element);
        const id = targetOf(element.getAttribute(source));
        const fragment = id === undefined ? undefined : addTarget(id);
        const show = (text: string) => element.setAttribute(attribute, format(text, counterStyle));
        show(PLACEHOLDER);
        shown.push({ fragment: fragment ?? '', text: PLACEHOLDER, show });
      }
    }
  };

  const breaks = { before: new Set<Element>(), after: new Set<Element>() };
  const BREAK = /^(?:page|left|right|recto|verso|always)$/;
  const noteBreaks = (style: CSSStyleDeclaration, elements: () => Iterable<Element>): void => {
    for (const side of ['before', 'after'] as const)
      if (BREAK.test(style.getPropertyValue(`break-${side}`)))
        for (const element of elements()) breaks[side].add(element);
  };

  const pageStyles: PageStyle[] = [];

  const visitRules = (rules: CSSRuleList, parent: string): void => {
    for (const rule of rules) {
      let selector = parent;
      if (rule instanceof CSSPageRule && rule.selectorText === '') pageStyles.push(rule.style);
      if (rule instanceof CSSStyleRule) {
        selector = parent === '' ? rule.selectorText : rule.selectorText.replaceAll('&', `:is(${parent})`);
        rewriteCounters(rule.style, selector);
        noteBreaks(rule.style, () => find(selector));
      }
      const { cssRules } = rule as Partial<CSSGroupingRule>;
      if (cssRules && cssRules.length > 0) visitRules(cssRules, selector);
      if (rule instanceof CSSImportRule && rule.styleSheet) visitSheet(rule.styleSheet);
    }
  };
  const visitSheet = (sheet: CSSStyleSheet): void => {
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      // A style sheet of another origin, which the document may use but not read.
      return;
    }
    visitRules(rules, '');
  };

  try {
    const contents = [...select('nav[data-toc]')] as HTMLElement[];
    for (const nav of contents) fillContents(nav);
    if (contents.length > 0) styleContents();
    findPageSpans();
    for (const element of select('[style*="break-" i]'))
      if (element instanceof HTMLElement) noteBreaks(element.style, () => [element]);
    for (const sheet of readDocument('styleSheets')) visitSheet(sheet);
    for (const sheet of readDocument('adoptedStyleSheets')) visitSheet(sheet);
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    return { fault: `the page references cannot be collected: ${String(error).slice(0, 200)}` };
  }
  head.append(links);

  const write = ({ destinations }: TargetPlaces): { changed: boolean; element?: string } => {
    const pageOf = new Map(destinations.map(({ name, page }) => [name, page + firstPageNumber - 1]));
    let changed: string | undefined;
    for (const reference of shown) {
      const page = pageOf.get(reference.fragment);
      const text = page === undefined ? '?' : String(page);
      if (text === reference.text) continue;
      changed ??= `#${reference.fragment}`;
      reference.text = text;
      if (page === undefined && reference.drop) reference.drop();
      else reference.show(text);
    }
    return changed === undefined ? { changed: false } : { changed: true, element: changed };
  };
  const found = [...targets].flatMap(([fragment, id]) => {
    const element = byId(id);
    return element ? [{ fragment, element }] : [];
  });
  const { pages, total } = estimate(
    found.map(({ element }) => element),
    breaks,
    { paper, pageStyles },
  );
  if (targets.size * total > maxTargetsTimesPages)
    return {
      fault: `the document shows the pages of ${targets.size} elements and has about ${total} pages; the product of the two may be up to ${maxTargetsTimesPages}`,
    };
  const estimated = found.map(({ fragment }, index) => ({ name: fragment, page: pages[index] ?? 1 }));
  write({ destinations: estimated });
  return { write };
}
