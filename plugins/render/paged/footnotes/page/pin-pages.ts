import type { FilledPage } from './fill-pages.ts';
import type { Flow, MeasuredFlow, Unit } from '../../page/measure-flow.ts';

/** The plan of the pages. */
export interface PinnedPlan {
  pages: readonly FilledPage[];
  /** The flow of each section, measured at the width of its pages. */
  flows: readonly MeasuredFlow[];
  /** Whether the document is measured with the exact widths of its letters. */
  isPrecise: boolean;
  /** The index of the last page with a table that has carried rows; -1 without such tables. */
  lastRowPage: number;
}

export interface PinnedPages {
  /** Undoes all changes. */
  remove(): void;
  /** The last line of each page with notes. `top` is in the flow, and `line` is the height of the line. */
  probes: { page: number; id: string; top: number; line: number }[];
  /** The pages with a box that continues on the next page, and whose border or background fills the page. */
  filled: Set<number>;
}

/**
 * Ends each page of the document where it was planned to end. Chromium truncates the margin before a block
 * that begins a page, so a block begins a page if its margin is larger than a page. A line begins a page if a
 * float as wide as the block takes the rest of the page before. Neither changes the justification of the last
 * line on the page.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function pinPages(
  { pages, flows, isPrecise, lastRowPage }: PinnedPlan,
  newId: (prefix: string) => string,
): PinnedPages {
  const LARGE_MARGIN_PX = 20_000;
  const create = Document.prototype.createElement.bind(document);
  const parentOf = (node: Node): Element | null =>
    Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement')?.get?.call(node) as Element | null;
  const undo: (() => void)[] = [];
  /** The changes to make when all places are known, because they move the lines. */
  const styles: (() => void)[] = [];
  const setStyle = (element: Element, property: string, value: string): void => {
    const before = Element.prototype.getAttribute.call(element, 'style');
    const style = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')?.get?.call(
      element,
    ) as CSSStyleDeclaration;
    style.setProperty(property, value, 'important');
    undo.push(() => {
      if (before === null) Element.prototype.removeAttribute.call(element, 'style');
      else Element.prototype.setAttribute.call(element, 'style', before);
    });
  };

  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement')?.get?.call(
    document,
  ) as HTMLElement;
  const inline = root.style.cssText;
  let laidOut = 0;
  const layOut = (width: number): void => {
    if (width === laidOut) return;
    laidOut = width;
    root.style.setProperty('width', `${width}px`, 'important');
    if (isPrecise) root.style.setProperty('text-rendering', 'geometricPrecision');
  };

  /** Returns the offset of the first character of a line in the text in which the line begins. */
  const lineStart = (text: Text, { top }: Unit): number => {
    const range = document.createRange();
    range.setEnd(text, text.length);
    const origin = Element.prototype.getBoundingClientRect.call(root).top;
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      range.setStart(text, middle);
      const box = range.getClientRects()[0];
      if (!box || (box.top + box.bottom) / 2 - origin > top) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  const topAt = (text: Text, offset: number): number | undefined => {
    const range = document.createRange();
    range.setStart(text, offset);
    range.setEnd(text, text.length);
    const box = range.getClientRects()[0];
    return box && box.top - Element.prototype.getBoundingClientRect.call(root).top;
  };

  const previousSibling = (node: Node): Node | null =>
    Object.getOwnPropertyDescriptor(Node.prototype, 'previousSibling')?.get?.call(node) as Node | null;
  /** Returns the `br` element at which a line of a block begins. */
  const breakBefore = (start: Node, block: Element): Element | undefined => {
    for (let at: Node | null = start; at && at !== block;) {
      const before = previousSibling(at);
      if (before instanceof Element && before.localName === 'br') return before;
      if (before && !(before instanceof Text && before.data.trim() === '')) return undefined;
      at = before ?? parentOf(at);
    }
    return undefined;
  };

  /** The elements to insert, when all places are known. */
  const insertions: { before: Node; offset: number; element: HTMLElement }[] = [];

  const filled = new Set<number>();
  const isVisible = (element: Element): boolean => {
    const { backgroundColor, backgroundImage, borderStyle, boxShadow } = getComputedStyle(element);
    return (
      backgroundColor !== 'rgba(0, 0, 0, 0)' ||
      backgroundImage !== 'none' ||
      !/^(?:none|hidden)( none| hidden)*$/.test(borderStyle) ||
      boxShadow !== 'none'
    );
  };
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body')?.get?.call(document) as Element;
  const noteFilled = (unit: Unit, { firstUnit }: MeasuredFlow, index: number): void => {
    for (let at: Element | null = unit.element; at && at !== body && !filled.has(index); at = parentOf(at))
      if ((firstUnit.get(at) ?? Infinity) < unit.index && isVisible(at)) filled.add(index);
  };

  const begin = (
    unit: Unit,
    { firstUnit, flows: [mainFlow] }: MeasuredFlow,
    page: FilledPage,
    flow: Flow,
  ): void => {
    /** Half a line less than the rest of the page, so that the rest is too small for a line. */
    const height =
      page.area.height - page.headHeight - (unit.top - page.top) - Math.min(unit.bottom - unit.top, 20) / 2;
    let first = unit.element;
    if (firstUnit.get(first) === unit.index) {
      for (
        let parent = parentOf(first);
        parent && firstUnit.get(parent) === unit.index;
        parent = parentOf(first)
      )
        if (/inline|contents/.test(getComputedStyle(parent).display)) break;
        else first = parent;
      const isPart = first === unit.element || getComputedStyle(first).display === 'table-row-group';
      if (isPart && (unit.kind === 'row' || unit.kind === 'item')) {
        styles.push(() => setStyle(unit.element, 'break-before', 'page'));
        return;
      }
      // Chromium measures a row or item without pages first, and would make it as tall as a large margin.
      const margin =
        flow === mainFlow ? LARGE_MARGIN_PX : Number.parseFloat(getComputedStyle(first).marginTop) + height;
      if (margin > 0) styles.push(() => setStyle(first, 'margin-top', `${margin}px`));
      return;
    }
    if (height <= 0) return;
    const { start } = unit;
    let offset = start instanceof Text ? lineStart(start, unit) : 0;
    // After a forced line break, a float at the start of the line would move to the next page with the line.
    const end = offset === 0 ? breakBefore(start, unit.element) : undefined;
    const spacer = create('platen-spacer');
    spacer.style.cssText = `display: block; float: left; width: 100%; height: ${height}px; margin: 0; padding: 0; border: 0`;
    if (end) {
      insertions.push({ before: end, offset: 0, element: spacer });
      return;
    }
    // The float goes below the line with its place. It must not split a word, which may be hyphenated.
    if (start instanceof Text) {
      const space = start.data.slice(0, offset).search(/\s\S*$/);
      const parent = parentOf(start);
      const isForced =
        start.data[space] === '\n' && parent && /pre|break/.test(getComputedStyle(parent).whiteSpace);
      if (space >= 0) offset = isForced ? space : space + 1;
    }
    insertions.push({ before: start, offset, element: spacer });
  };

  const probes: PinnedPages['probes'] = [];
  const addProbe = (unit: Unit, page: number): void => {
    const probe = create('platen-probe');
    probe.id = newId('platen-probe');
    const { start } = unit;
    let offset = 0;
    let { top } = unit;
    if (start instanceof Text) {
      // After the first word, because an empty element between two lines belongs to the first of them.
      offset = lineStart(start, unit);
      top = topAt(start, offset) ?? top;
      const length = start.data.slice(offset).search(/\S\s/) + 2;
      if (length > 1 && lineStart(start, { ...unit, top: unit.bottom }) > offset + length) offset += length;
    }
    insertions.push({ before: start, offset, element: probe });
    probes.push({ page, id: probe.id, top, line: unit.bottom - top });
  };

  /** Returns the index of the first unit at or below a position. Units of a flow follow one another. */
  const firstAfter = (units: readonly Unit[], position: number): number => {
    let [low, high] = [0, units.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((units[middle]?.top ?? 0) >= position - 1) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  const last = Math.max(
    lastRowPage,
    pages.findLastIndex(({ notes }) => notes.length > 0),
  );
  for (const [sectionIndex, flow] of flows.entries()) {
    const own = pages.flatMap((page, index) =>
      page.section === sectionIndex && index <= last ? [{ page, index }] : [],
    );
    const cuts = own.filter(({ page }) => page.next !== undefined);
    if (own[0]) layOut(own[0].page.area.width);
    const { units: mainUnits = [] } = flow.flows[0] ?? {};
    const forced = mainUnits[firstAfter(mainUnits, flow.sections[sectionIndex + 1]?.top ?? Infinity)];
    const end = own.at(-1);
    if (forced && end) noteFilled(forced, flow, end.index);
    /** The last line of each page with notes. */
    const lastLines = new Map<number, Unit>();
    const noteLast = (unit: Unit): void => {
      if (unit.kind !== 'line' || unit.repeats) return;
      const at = own.findLast(({ page }) => page.top <= unit.top + 1);
      if (!at || at.page.notes.length === 0 || unit.bottom > at.page.bottom + 1) return;
      if ((lastLines.get(at.index)?.bottom ?? -1) < unit.bottom) lastLines.set(at.index, unit);
    };
    for (const each of flow.flows) {
      const { units } = each;
      const isMain = each === flow.flows[0];
      const [top, bottom] = [units[0]?.top ?? 0, units.at(-1)?.bottom ?? 0];
      for (const { page, index } of cuts) {
        const next = page.next ?? 0;
        if (next < top + 1 && !isMain) continue;
        if (next > bottom) break;
        const at = firstAfter(units, next);
        const unit = units[at];
        if (!unit || (!isMain && at === 0)) continue;
        noteFilled(unit, flow, index);
        begin(unit, flow, page, each);
      }
      for (const unit of units) noteLast(unit);
    }
    for (const [index, unit] of lastLines) addProbe(unit, index);
  }
  root.style.cssText = inline;
  for (const apply of styles) apply();
  // From the end, so that the offsets in a text remain valid.
  const inOrder = insertions
    .map((insertion, index) => ({ ...insertion, index }))
    .sort((a, b) =>
      a.before === b.before
        ? a.offset - b.offset || a.index - b.index
        : (a.before.compareDocumentPosition(b.before) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
          ? -1
          : 1,
    );
  for (const { before, offset, element } of inOrder.toReversed()) {
    let place = before;
    if (before instanceof Text && offset > 0) {
      const rest = before.splitText(offset);
      undo.push(() => {
        before.appendData(rest.data);
        rest.remove();
      });
      place = rest;
    }
    parentOf(place)?.insertBefore(element, place);
    undo.push(() => element.remove());
  }
  return { remove: () => undo.toReversed().forEach((step) => step()), probes, filled };
}
