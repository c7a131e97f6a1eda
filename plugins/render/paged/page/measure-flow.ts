/**
 * A line, or a box without lines, that is on one page. Positions are in pixels from the top of the document.
 */
export interface Unit {
  index: number;
  kind: 'line' | 'box' | 'row' | 'item';
  top: number;
  bottom: number;
  /** The block that contains the line, or the element of the box. */
  element: Element;
  /** The text in which the line begins, or the element that begins it. */
  start: Node;
  /** Whether it is in the head or foot of a table, which repeat on each page. */
  repeats: boolean;
}

/** Content whose parts follow one another: of the document, a table cell, a float, or an item of a grid. */
export interface Flow {
  root: Element;
  units: Unit[];
}

/** A vertical range that no page break may cross. */
export interface Solid {
  top: number;
  bottom: number;
}

/** A table whose head and foot repeat on each page. */
export interface RepeatingTable {
  /** The range of its rows between head and foot. */
  top: number;
  bottom: number;
  headHeight: number;
  footHeight: number;
  /** The height that remains free below its rows, because Chromium rounds positions; 0 by default. */
  spare?: number;
}

/** The content between two forced page breaks. */
export interface Section {
  pageName: string;
  /** The position of the top of its first page. */
  top: number;
}

/** The vertical layout of a document on one endless page. */
export interface MeasuredFlow {
  sections: Section[];
  flows: Flow[];
  /** Ranges that Chromium never breaks, and ranges that it breaks only if they do not fit on a page. */
  hard: Solid[];
  soft: Solid[];
  tables: RepeatingTable[];
  /** The index of the first unit in each element. */
  firstUnit: Map<Element, number>;
  /** The position of the middle of each marked element. */
  marks: number[];
  /** The width that the widest content needs. */
  contentWidth: number;
}

/**
 * Measures where page breaks are possible when the document is laid out at a width. The content of `opaque`
 * elements is not measured.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it reads the tree through prototypes, because a field of a form can replace a property of the form.
 */
export function measureFlow(
  { width, isPrecise, opaque }: { width: number; isPrecise: boolean; opaque?: ReadonlySet<Element> },
  marked: readonly Element[],
): MeasuredFlow {
  const getter = <Type, Name extends keyof Type>(prototype: Type, name: Name) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    return (node: Type): Type[Name] => property?.get?.call(node) as Type[Name];
  };
  const documentElement = getter(Document.prototype, 'documentElement');
  const bodyOf = getter(Document.prototype, 'body');
  const modeOf = getter(Document.prototype, 'compatMode');
  const firstChild = getter(Node.prototype, 'firstChild');
  const nextSibling = getter(Node.prototype, 'nextSibling');
  const parentOf = getter(Node.prototype, 'parentElement');
  const scrollWidth = getter(Element.prototype, 'scrollWidth');
  const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
  const pixels = (text: string): number => Number.parseFloat(text) || 0;
  const root = documentElement(document);
  const inline = root.style.cssText;
  root.style.setProperty('width', `${width}px`, 'important');
  if (isPrecise) root.style.setProperty('text-rendering', 'geometricPrecision');
  const originOf = boxOf(root).top;

  const flows: Flow[] = [];
  const hard: Solid[] = [];
  const soft: Solid[] = [];
  const tables: RepeatingTable[] = [];
  const sections: Section[] = [{ pageName: '', top: 0 }];
  const firstUnit = new Map<Element, number>();
  let unitCount = 0;
  let repeats = false;
  /** Set until the next unit, which begins a page, or must stay on the page of the last unit. */
  let isForcedNext = false;
  let stuck: number | undefined;
  let pageName: string | undefined;

  const isForced = (value: string) => /^(?:page|left|right|recto|verso|always|all)$/.test(value);
  const isAvoided = (value: string) => value === 'avoid' || value === 'avoid-page';
  const newFlow = (element: Element): Flow => {
    const flow = { root: element, units: [] };
    flows.push(flow);
    return flow;
  };
  const mainFlow = newFlow(root);

  /** Returns the position at which a page begins when its first unit begins it. */
  const pageTop = (unit: Unit): number => {
    let first = unit.element;
    for (
      let parent = parentOf(first);
      parent && firstUnit.get(parent) === unit.index;
      parent = parentOf(first)
    )
      first = parent;
    let margin = 0;
    for (let at: Element | null = unit.element; at; at = at === first ? null : parentOf(at)) {
      const { marginTop, paddingTop, borderTopWidth } = getComputedStyle(at);
      // A border or padding separates the margins inside of it.
      if (pixels(paddingTop) + pixels(borderTopWidth) > 0) margin = 0;
      margin = Math.max(margin, pixels(marginTop));
    }
    return Math.min(unit.top, boxOf(first).top - originOf) - margin;
  };

  const addUnit = (flow: Flow, unit: Omit<Unit, 'index' | 'repeats'>, name: string): Unit => {
    const added = { ...unit, index: unitCount, repeats };
    unitCount += 1;
    flow.units.push(added);
    if (flow === mainFlow) {
      pageName ??= sections[0]!.pageName = name;
      if (name !== pageName) isForcedNext = true;
      // Chromium inserts no blank page for `left` and `right`.
      if (isForcedNext && added.index > 0) sections.push({ pageName: name, top: pageTop(added) });
      else if (stuck !== undefined) soft.push({ top: stuck, bottom: added.top + 1 });
      pageName = name;
    }
    isForcedNext = false;
    stuck = undefined;
    return added;
  };

  interface Rect extends Solid {
    start: Node;
  }
  /**
   * Returns the top of the first line of a block. With the default line height, the number of a note rises
   * above its line, over the edge of the block or over the line before it, but moves neither of them.
   */
  const withoutOverlap = (line: Solid, lead: number, edges: (number | undefined)[]): number => {
    const top = line.top - lead;
    const isSlight = (edge: number) => edge - top < (line.bottom - line.top) / 2;
    return Math.max(top, ...edges.filter((edge) => edge !== undefined).filter(isSlight));
  };

  /** Adds the lines of consecutive inline content. */
  const addLines = (flow: Flow, block: Element, rects: Rect[], name: string): void => {
    const lines: Rect[] = [];
    for (const rect of rects) {
      const line = lines.at(-1);
      const common = line ? Math.min(line.bottom, rect.bottom) - Math.max(line.top, rect.top) : 0;
      const height = line ? Math.min(line.bottom - line.top, rect.bottom - rect.top) : 0;
      if (line && (common > height / 2 || rect.top < line.top)) {
        line.top = Math.min(line.top, rect.top);
        line.bottom = Math.max(line.bottom, rect.bottom);
      } else lines.push({ ...rect });
    }
    const style = getComputedStyle(block);
    const lineHeight = pixels(style.lineHeight);
    const boundaries = lines.map(({ top }, index) => {
      const before = lines[index - 1];
      return before ? (before.bottom + top) / 2 : top;
    });
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) return;
    const lead = Math.max(0, (lineHeight - (first.bottom - first.top)) / 2);
    boundaries[0] = withoutOverlap(first, lead, [boxOf(block).top - originOf, flow.units.at(-1)?.bottom]);
    boundaries.push(last.bottom + Math.max(0, (lineHeight - (last.bottom - last.top)) / 2));
    const units = lines.map((line, index) =>
      addUnit(
        flow,
        {
          kind: 'line',
          top: boundaries[index] ?? 0,
          bottom: boundaries[index + 1] ?? 0,
          element: block,
          start: line.start,
        },
        name,
      ),
    );
    for (const { top, bottom } of units) hard.push({ top, bottom });
    const [orphans, widows] = [pixels(style.orphans), pixels(style.widows)];
    const keep = (from: number, to: number) =>
      soft.push({ top: boundaries[from] ?? 0, bottom: boundaries[to] ?? 0 });
    if (lines.length < orphans + widows) keep(0, lines.length);
    else {
      keep(0, orphans);
      keep(lines.length - widows, lines.length);
    }
  };

  const REPLACED =
    'img, svg, canvas, video, iframe, object, embed, input, select, textarea, button, math, hr';
  const isAtomic = (element: Element, style: CSSStyleDeclaration): boolean =>
    opaque?.has(element) === true ||
    Element.prototype.matches.call(element, REPLACED) ||
    !style.writingMode.startsWith('horizontal') ||
    style.columnCount !== 'auto' ||
    style.columnWidth !== 'auto';

  /** Adds the content of an element that is not atomic. */
  const addContent = (flow: Flow, block: Element, style: CSSStyleDeclaration, name: string): void => {
    let rects: Rect[] = [];
    const range = document.createRange();
    const flush = () => {
      const found = rects;
      rects = [];
      addLines(flow, block, found, name);
    };
    const visit = (parent: Element): void => {
      for (let node = firstChild(parent); node; node = nextSibling(node)) {
        if (node instanceof Text) {
          if (node.data.trim() === '') continue;
          range.selectNodeContents(node);
          for (const { top, bottom, height } of range.getClientRects())
            if (height > 0) rects.push({ top: top - originOf, bottom: bottom - originOf, start: node });
        } else if (node instanceof Element) {
          const own = getComputedStyle(node);
          const { display } = own;
          if (display === 'none' || own.position === 'absolute' || own.position === 'fixed') continue;
          if (display === 'contents') visit(node);
          else if (own.float !== 'none') addElement(newFlow(node), node, own, name);
          else if (display === 'inline' && !Element.prototype.matches.call(node, REPLACED)) visit(node);
          else if (display.startsWith('inline') || display.startsWith('ruby')) {
            const { top, bottom, height } = boxOf(node);
            if (height > 0) rects.push({ top: top - originOf, bottom: bottom - originOf, start: node });
          } else {
            flush();
            addElement(flow, node, own, name);
          }
        }
      }
    };
    const { display, flexDirection } = style;
    if (/flex|grid/.test(display))
      addItems(flow, block, {
        isColumn: display.includes('flex') && flexDirection.startsWith('column'),
        name,
      });
    else visit(block);
    flush();
  };

  /** Adds the items of a flexible box or a grid. */
  const addItems = (
    flow: Flow,
    container: Element,
    { isColumn, name }: { isColumn: boolean; name: string },
  ): void => {
    const items: { element: Element; style: CSSStyleDeclaration; rect: Solid }[] = [];
    for (let node = firstChild(container); node; node = nextSibling(node)) {
      if (!(node instanceof Element)) continue;
      const style = getComputedStyle(node);
      if (style.display === 'none' || style.position === 'absolute' || style.position === 'fixed') continue;
      const { top, bottom } = boxOf(node);
      items.push({ element: node, style, rect: { top: top - originOf, bottom: bottom - originOf } });
    }
    items.sort((a, b) => a.rect.top - b.rect.top);
    for (const { element, style, rect } of items) {
      firstUnit.set(element, unitCount);
      addUnit(flow, { kind: 'item', ...rect, element, start: element }, name);
      addElement(isColumn ? flow : newFlow(element), element, style, name);
    }
  };

  /** Adds the element of a box: a block, a table or one of its parts, a float, or an item. */
  const addElement = (flow: Flow, element: Element, style: CSSStyleDeclaration, parentName: string): void => {
    const name = style.getPropertyValue('page') === 'auto' ? parentName : style.getPropertyValue('page');
    const box = boxOf(element);
    const rect = { top: box.top - originOf, bottom: box.bottom - originOf };
    if (flow === mainFlow && isForced(style.breakBefore)) isForcedNext = true;
    if (isAvoided(style.breakBefore)) stuck ??= (flow.units.at(-1)?.bottom ?? 0) - 1;
    if (!firstUnit.has(element)) firstUnit.set(element, unitCount);
    const before = unitCount;
    const at = flow.units.length;
    const { display } = style;
    const isRepeated = display === 'table-header-group' || display === 'table-footer-group';
    if (isRepeated) repeats = true;
    if (isAtomic(element, style)) {
      if (box.height > 0) {
        addUnit(flow, { kind: 'box', ...rect, element, start: element }, name);
        hard.push(rect);
      }
    } else if (display === 'table-row') {
      addUnit(flow, { kind: 'row', ...rect, element, start: element }, name);
      // Chromium breaks only a row that is taller than a page.
      soft.push(rect);
      for (let node = firstChild(element); node; node = nextSibling(node))
        if (node instanceof Element) addElement(newFlow(node), node, getComputedStyle(node), name);
    } else {
      addContent(flow, element, style, name);
      if (unitCount === before && box.height > 0) {
        addUnit(flow, { kind: 'box', ...rect, element, start: element }, name);
        soft.push(rect);
      } else if (unitCount > before) addEdges(element, rect, flow.units[at], flow.units.at(-1));
    }
    if (isRepeated) {
      repeats = false;
      hard.push(rect);
    }
    if (display === 'table') addTable(element);
    if (isAvoided(style.breakInside)) soft.push(rect);
    if (isForced(style.breakAfter) && flow === mainFlow) isForcedNext = true;
    if (isAvoided(style.breakAfter) && flow === mainFlow) stuck = rect.bottom - 1;
  };

  /** Keeps the border and padding of a box together with its first and last unit. */
  const addEdges = (
    box: Element,
    { top, bottom }: Solid,
    first: Unit | undefined,
    last: Unit | undefined,
  ): void => {
    const style = getComputedStyle(box);
    const above = pixels(style.paddingTop) + pixels(style.borderTopWidth);
    const below = pixels(style.paddingBottom) + pixels(style.borderBottomWidth);
    if (first && above > 0) {
      /** The sum of the margins, borders and paddings at the start of the box, some of which may collapse. */
      let edges = above;
      for (let at: Element | null = first.element; at && at !== box; at = parentOf(at)) {
        const { marginTop, paddingTop, borderTopWidth } = getComputedStyle(at);
        edges += pixels(marginTop) + pixels(paddingTop) + pixels(borderTopWidth);
      }
      const distance = first.top - top;
      if (distance > above - 3 && distance < edges + 3) hard.push({ top, bottom: first.top + 1 });
    }
    if (last && below > 0 && Math.abs(bottom - below - last.bottom) < 3)
      hard.push({ top: last.bottom - 1, bottom });
  };

  const addTable = (table: Element): void => {
    const found: RepeatingTable = { top: Infinity, bottom: 0, headHeight: 0, footHeight: 0 };
    const edges = { head: Infinity, foot: 0 };
    for (let node = firstChild(table); node; node = nextSibling(node)) {
      if (!(node instanceof Element)) continue;
      const { display } = getComputedStyle(node);
      const { top, bottom, height } = boxOf(node);
      if (display === 'table-header-group' || display === 'table-caption')
        edges.head = Math.min(edges.head, top - originOf);
      if (display === 'table-footer-group') edges.foot = bottom - originOf;
      if (display === 'table-header-group') found.headHeight = height;
      else if (display === 'table-footer-group') found.footHeight = height;
      else if (display === 'table-row-group') {
        found.top = Math.min(found.top, top - originOf);
        found.bottom = Math.max(found.bottom, bottom - originOf);
      }
    }
    if (found.headHeight + found.footHeight === 0 || found.bottom === 0) return;
    tables.push(found);
    // A head is never alone at the end of a page, nor a foot at the start of one.
    hard.push({ top: edges.head, bottom: found.top + 2 }, { top: found.bottom - 2, bottom: edges.foot });
    // Chromium repeats the foot at the end of the page when a row breaks, which is the place of the notes.
    if (found.footHeight > 0)
      for (const row of Element.prototype.querySelectorAll.call(table, 'tr')) {
        const { top, bottom } = boxOf(row);
        hard.push({ top: top - originOf, bottom: bottom - originOf });
      }
  };

  addElement(mainFlow, root, getComputedStyle(root), '');
  // In quirks mode, the width of the body is that of the window.
  const body = bodyOf(document);
  const contentWidth =
    modeOf(document) === 'CSS1Compat' ? boxOf(body).left - boxOf(root).left + scrollWidth(body) : 0;
  const marks = marked.map((element) => {
    const { top, bottom } = boxOf(element);
    return (top + bottom) / 2 - originOf;
  });
  root.style.cssText = inline;
  return { sections, flows, hard, soft, tables, firstUnit, marks, contentWidth };
}
