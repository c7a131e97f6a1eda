import type { formatCounter } from './format-counter.ts';
import type { PlacesOfPrint } from './places-of-print.ts';
import type { Prepared, Written } from './prepared.ts';
import type { findSections, SectionPages } from './sections.ts';

export interface StringSettings {
  maxChapters: number;
  /** Whether headers and footers show sections, whose pages then have to be found. */
  showsSections: boolean;
}

/**
 * Emulates `string-set` and `string()` (CSS Generated Content for Paged Media 2.1), which Chromium does not
 * parse. Each element that sets a string begins a chapter, and all pages of a chapter get a page name. Each
 * `@page` rule whose margin boxes use a string is copied for each chapter, with the text in place of
 * `string()`. Pages with different names do not share a sheet, so an element that sets a string must begin a
 * page. Sections set `section-title`, and on their pages, `counter(section-page)` is a counter of their own.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 */
export function applyRunningStrings(
  { maxChapters, showsSections }: StringSettings,
  find: typeof findSections,
  format: typeof formatCounter,
): Prepared {
  const select = Document.prototype.querySelectorAll.bind(document);
  const create = Document.prototype.createElement.bind(document);
  /** Reads a property of the document through its prototype. */
  const readDocument = <Name extends keyof Document>(property: Name): Document[Name] =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as Document[Name];
  const body = readDocument('body');
  const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement');
  const parentOf = (node: Node): HTMLElement | null => parentElement?.get?.call(node) as HTMLElement | null;

  class Fault extends Error {}

  const SET = '--platen-string-set';
  const USE = '--platen-string-';

  /**
   * Parses a style sheet with custom properties, which Chromium keeps, in place of `string-set`, `string()`
   * and the counters of sections.
   */
  const parse = (text: string): CSSStyleSheet => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      text
        .replaceAll(/\bstring-set(\s*:)/g, `${SET}$1`)
        .replaceAll(/\bstring\(\s*([\w-]+)\s*(?:,[\w\s-]*)?\)/g, `var(${USE}$1)`)
        .replaceAll(/\bcounter\(\s*(section-pages?)\s*(?:,\s*([\w-]+)\s*)?\)/g, `var(${USE}$1--$2)`),
    );
    return sheet;
  };

  const TITLE = 'section-title';
  const PAGE = 'section-page';
  const PAGES = 'section-pages';
  /** Encloses the number of a section where its number of pages is written after a print. */
  const MARK = '\ue000';

  interface Setting {
    element: HTMLElement;
    name: string;
    /** The text, or the number of the section whose counter or number of pages is shown. */
    text: string | number;
  }
  const settings: Setting[] = [];
  let sections: Exclude<ReturnType<typeof find>, { fault: string }> = [];
  /** Rules that name pages: `page: wide`. */
  const named: { selector: string; page: string }[] = [];
  interface PageRule {
    name: string;
    pseudo: string;
    css: string;
    usesStrings: boolean;
  }
  const pageRules: PageRule[] = [];

  /** Returns the text of an element without the calls of its footnotes. */
  const textOf = (element: HTMLElement): string => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const call of copy.querySelectorAll('.footnote-call')) call.remove();
    return copy.textContent;
  };

  const TOKEN =
    /([\w-]+)(?:\(([^()]*)(?:\)|$))?|"((?:[^"\\]|\\.)*)(?:"|\\?$)|'((?:[^'\\]|\\.)*)(?:'|\\?$)|,/gs;

  /** Evaluates the value of `string-set`: one or more of `name part part …`, separated by commas. */
  const evaluate = (element: HTMLElement, value: string): { name: string; text: string }[] => {
    const found: { name: string; text: string }[] = [];
    let current: { name: string; text: string } | undefined;
    for (const [token, name, args, double, single] of value.matchAll(TOKEN)) {
      if (token === ',') current = undefined;
      else if (!current && name !== undefined && name !== 'none') found.push((current = { name, text: '' }));
      else if (!current) continue;
      else if (name === 'attr') current.text += element.getAttribute(args?.trim() ?? '') ?? '';
      else if (name === 'content') current.text += textOf(element);
      else current.text += (double ?? single ?? '').replaceAll(/\\(.)/g, '$1');
    }
    return found.map(({ name, text }) => ({ name, text: text.replaceAll(/\s+/g, ' ').trim() }));
  };

  const visit = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule instanceof CSSPageRule) addPageRules(rule);
      else if (rule instanceof CSSStyleRule) visitStyle(rule);
      else if ('cssRules' in rule) visit(rule.cssRules as CSSRuleList);
    }
  };
  const visitStyle = ({ selectorText, style }: CSSStyleRule): void => {
    const page = style.getPropertyValue('page');
    if (page !== '' && page !== 'auto') named.push({ selector: selectorText, page });
    const value = style.getPropertyValue(SET);
    if (value === '') return;
    for (const element of select(selectorText)) {
      if (!(element instanceof HTMLElement)) continue;
      // A later rule replaces the strings of an earlier one.
      for (let at = settings.length - 1; at >= 0; at -= 1)
        if (settings[at]?.element === element) settings.splice(at, 1);
      for (const setting of evaluate(element, value)) settings.push({ element, ...setting });
    }
  };
  const addPageRules = (rule: CSSPageRule): void => {
    const css = rule.cssText.slice(rule.cssText.indexOf('{') + 1, rule.cssText.lastIndexOf('}'));
    for (const selector of rule.selectorText.split(',')) {
      const [name = '', ...pseudo] = selector.trim().split(':');
      pageRules.push({
        name,
        pseudo: pseudo.map((pseudoClass) => `:${pseudoClass}`).join(''),
        css,
        usesStrings: css.includes(USE),
      });
    }
  };

  /** Tells whether an element is the first content of a page. */
  const beginsPage = (element: Element): boolean => {
    const breaks = (value: string) =>
      !['auto', 'avoid', 'avoid-page', 'avoid-column', 'column'].includes(value);
    for (let node: Element | null = element; node && node !== body; node = parentOf(node)) {
      if (breaks(getComputedStyle(node).breakBefore)) return true;
      const before = previousContent(node);
      if (before === 'text') return false;
      if (before) return breaks(getComputedStyle(before).breakAfter);
    }
    return true;
  };
  const previousContent = (node: Node): Element | 'text' | undefined => {
    for (let before = node.previousSibling; before; before = before.previousSibling) {
      if (before instanceof Text && before.data.trim() !== '') return 'text';
      if (!(before instanceof Element)) continue;
      const { display, position } = getComputedStyle(before);
      if (display !== 'none' && position !== 'absolute' && position !== 'fixed') return before;
    }
    return undefined;
  };

  /** Returns the outermost element whose content begins with `element`. */
  const outermost = (element: HTMLElement): HTMLElement => {
    let top = element;
    for (
      let parent = parentOf(top);
      parent && parent !== body && previousContent(top) === undefined;
      parent = parentOf(top)
    )
      top = parent;
    return top;
  };

  const follows = (a: Node, b: Node): boolean =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

  /** Calls `assign` with the largest elements that begin at `start` or later and end before `end`. */
  const eachBlock = (
    start: HTMLElement,
    end: HTMLElement | undefined,
    assign: (block: HTMLElement) => void,
  ): void => {
    let node: Element | null = start;
    while (node && node !== end) {
      const containsEnd: boolean = end !== undefined && node.contains(end);
      if (!containsEnd && node instanceof HTMLElement) assign(node);
      let next: Element | null = containsEnd ? node.firstElementChild : node.nextElementSibling;
      for (
        let parent: Element | null = node;
        !next && parent && parent !== body;
        next = parent?.nextElementSibling ?? null
      )
        parent = parentOf(parent) === body ? null : parentOf(parent);
      node = next;
    }
  };

  const quote = (text: string): string =>
    `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\n\r\f\ue000]/g, ' ')}"`;
  type Strings = ReadonlyMap<string, Setting['text']>;
  /** Returns the CSS value in place of `string(name)`, or of a counter of sections. */
  const valueOf = (name: string, strings: Strings): string => {
    // A counter has a style: `section-page--upper-roman`, or `section-page--`.
    const [, counter = name, style = ''] = /^(section-pages?)--([\w-]*)$/.exec(name) ?? [];
    const text = strings.get(counter) ?? '';
    if (typeof text === 'string') return quote(text);
    return counter === PAGE
      ? `counter(platen-section-${text}, ${style || 'decimal'})`
      : `"${MARK}${text} ${style}${MARK}"`;
  };

  const addSections = (): void => {
    // A document can set the string itself.
    const setsTitle = settings.some(({ name }) => name === TITLE);
    for (const [index, { element, title, after }] of sections.entries()) {
      if (!setsTitle) settings.push({ element, name: TITLE, text: title });
      settings.push({ element, name: PAGE, text: index }, { element, name: PAGES, text: index });
      if (!after) continue;
      if (!setsTitle) settings.push({ element: after.element, name: TITLE, text: '' });
      for (const name of [PAGE, PAGES]) settings.push({ element: after.element, name, text: '' });
    }
  };
  /** Returns the pages of the sections: each ends before the next one, or before other content. */
  const pagesOfSections = ({ pages, destinations }: PlacesOfPrint): SectionPages[] => {
    const pageOf = new Map(destinations.map(({ name, page }) => [name, page]));
    return sections.map(({ title, start, after }, index) => {
      const first = pageOf.get(start) ?? 0;
      const next = pageOf.get(after?.fragment ?? sections[index + 1]?.start ?? '');
      return { title, first, last: next === undefined ? pages.length : next - 1 };
    });
  };

  try {
    for (const style of select('style')) {
      const { textContent } = style;
      visit(parse(textContent).cssRules);
    }
    const usesSections = pageRules.some(({ css }) => css.includes(`${USE}section-`));
    if (usesSections || showsSections) {
      const found = find({ maxSections: maxChapters }, beginsPage);
      if ('fault' in found) return found;
      sections = found;
      addSections();
    }
    /** Writes the numbers of pages into the style sheet, which is absent if no margin box shows strings. */
    const writeTo = (style: HTMLElement | undefined, text: string) => {
      return (places: PlacesOfPrint): Written => {
        const found = pagesOfSections(places);
        const filled = text.replaceAll(
          /\ue000(\d+) ([\w-]*)\ue000/g,
          (_, index: string, counterStyle: string) => {
            const { first, last } = found[Number(index)] ?? { first: 1, last: 0 };
            return format(last - first + 1, counterStyle);
          },
        );
        const changed = style !== undefined && style.textContent !== filled;
        if (style && changed) style.textContent = filled;
        return { changed, sections: found };
      };
    };
    if (settings.length === 0 || !pageRules.some(({ usesStrings }) => usesStrings))
      return sections.length > 0 ? { write: writeTo(undefined, '') } : {};
    settings.sort((a, b) => (a.element === b.element ? 0 : follows(a.element, b.element) ? -1 : 1));

    interface Chapter {
      start: HTMLElement;
      strings: Map<string, Setting['text']>;
    }
    const chapters: Chapter[] = [];
    for (const { element, name, text } of settings) {
      const last = chapters.at(-1);
      const start = outermost(element);
      if (last?.start === start) {
        last.strings.set(name, text);
        continue;
      }
      if (!beginsPage(element))
        throw new Fault(
          `string-set: <${element.localName}> does not begin a page; give it "break-before: page", or set the string in an element that does`,
        );
      chapters.push({ start, strings: new Map(last?.strings).set(name, text) });
    }
    if (chapters.length > maxChapters)
      throw new Fault(`string-set begins ${chapters.length} chapters; the limit is ${maxChapters}`);

    const pagesOf = named.map(({ selector, page }) => ({ elements: new Set(select(selector)), page }));
    const css: string[] = [];
    const emit = (chapter: number, namedPage: string, strings: Strings): string => {
      const pageName = `platen-${chapter}${namedPage === '' ? '' : `-${namedPage}`}`;
      const section = strings.get(PAGE);
      const counter = typeof section === 'number' && usesSections ? `platen-section-${section}` : undefined;
      if (counter !== undefined) css.push(`@page ${pageName} {counter-increment: ${counter}}`);
      for (const { name, pseudo, css: text } of pageRules) {
        if (name !== '' && name !== namedPage) continue;
        const filled = text
          .replaceAll(/var\(--platen-string-([\w-]+)\)/g, (_, string: string) => valueOf(string, strings))
          .replaceAll(/\bcounter-increment:\s*(?:none\b)?/g, `counter-increment: ${counter ?? ''} `);
        css.push(`@page ${pageName}${pseudo} {${filled}}`);
      }
      return pageName;
    };
    // Pages before the first chapter have no strings. All rules are repeated, because Chromium prefers a rule
    // of a later style sheet even to a more specific one of an earlier style sheet.
    for (const { name, pseudo, css: text } of pageRules)
      css.push(`@page ${name}${pseudo} {${text.replaceAll(/var\(--platen-string-[\w-]+\)/g, '""')}}`);
    /** The blocks of the chapters, with the names of their pages by the names in the document. */
    const namesOf = new Map<Element, (namedPage: string) => string>();
    for (const [index, { start, strings }] of chapters.entries()) {
      const emitted = new Map<string, string>();
      const nameFor = (namedPage: string): string => {
        const known = emitted.get(namedPage) ?? emit(index, namedPage, strings);
        emitted.set(namedPage, known);
        return known;
      };
      eachBlock(start, chapters[index + 1]?.start, (block) => {
        const namedPage = pagesOf.findLast(({ elements }) => elements.has(block))?.page ?? '';
        block.style.setProperty('page', nameFor(namedPage), 'important');
        namesOf.set(block, nameFor);
      });
    }
    for (const { elements, page } of pagesOf)
      for (const element of elements) {
        if (!(element instanceof HTMLElement) || namesOf.has(element)) continue;
        let block = parentOf(element);
        while (block && !namesOf.has(block)) block = parentOf(block);
        const nameFor = block && namesOf.get(block);
        if (nameFor) element.style.setProperty('page', nameFor(page), 'important');
      }
    const style = create('style');
    const text = css.join('\n');
    style.textContent = text;
    ((readDocument('head') as HTMLElement | null) ?? readDocument('documentElement')).append(style);
    return sections.length > 0 ? { write: writeTo(style, text) } : {};
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    return { fault: `string-set cannot be applied: ${String(error).slice(0, 200)}` };
  }
}
