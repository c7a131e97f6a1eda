import type { TableSizes } from './plan-fragments.ts';
import type { CarriedTable } from './read-tables.ts';

/** The rows whose pages show whether a table is divided as planned. */
export interface FragmentRows {
  first: HTMLElement | undefined;
  /** The last row of each fragment. */
  ends: HTMLElement[];
}

/** A table that is divided between pages. */
export interface DividedTable {
  /** Ends the repetition by Chromium. The document does not change before, so that styles are read once. */
  takeOver(): void;
  /** Shows all rows of `thead` and `tfoot` at once, or those of a table with a single fragment. */
  showAll(all: boolean): void;
  /** Measures the table in the present layout. Remembers the rows of `thead` and `tfoot` when all show. */
  measure(): TableSizes;
  /** Returns the height of a row of `thead` or `tfoot` in CSS pixels, as it was measured. */
  repeatedHeight(row: Element): number;
  /**
   * Divides the table before the rows of `breaks`, in place of an earlier division. With `widens`, it adds
   * the repeated rows without height, so that the columns are as wide as in a table with more parts.
   */
  divide(breaks: readonly number[], widens?: boolean): FragmentRows;
  /** Copies the rows of `thead` and `tfoot` again that have changed since. Tells whether any has. */
  refresh(): boolean;
  /** Begins a page with the table and the headings before it, or no longer does. */
  beginPage(begins: boolean): void;
}

/**
 * Takes the repetition of `thead` and `tfoot` over from Chromium, which repeats the same content on each
 * page. The rows that a page shows at the start and the end of its part of the table are copied between the
 * rows of the table, with a forced break. A screen reader reads only the original rows.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function divideTable({ element, head, foot, rows, shows, fill }: CarriedTable): DividedTable {
  const BREAK = /^(?:page|left|right|recto|verso|always)$/;
  const set = (target: HTMLElement, property: string, value: string): void =>
    target.style.setProperty(property, value, 'important');
  const boxOf = (target: Element): DOMRect => target.getBoundingClientRect();

  // Wraps loose rows in a tbody, because only row groups are divided.
  for (const row of rows) {
    if (row.parentElement !== element) continue;
    const before = row.previousElementSibling;
    const group =
      before?.localName === 'tbody' ? before : document.createElementNS(element.namespaceURI, 'tbody');
    if (group !== before) row.before(group);
    group.append(row);
  }
  const headRows = head ? [...head.rows] : [];
  const footRows = foot ? [...foot.rows] : [];
  /** The inline styles of the rows as the document has them. */
  const displays = new Map(
    [...headRows, ...footRows].map((row) => {
      const { style } = row;
      return [row, [style.getPropertyValue('display'), style.getPropertyPriority('display')] as const];
    }),
  );
  /** Shows or hides a row, or its copy. */
  const show = (row: HTMLTableRowElement, isShown: boolean, target: HTMLElement = row): void =>
    isShown
      ? target.style.setProperty('display', ...(displays.get(row) ?? (['', ''] as const)))
      : set(target, 'display', 'none');
  const showEnds = (isSingle: boolean): void => {
    for (const row of headRows) show(row, shows(row, true, isSingle));
    for (const row of footRows) show(row, shows(row, isSingle, true));
  };

  const mayBreak: boolean[] = rows.map(() => true);
  const mustBreak: boolean[] = rows.map(() => false);
  for (const [index, row] of rows.entries()) {
    for (const { rowSpan } of row.cells)
      for (let below = 1; below < rowSpan && index + below < rows.length; below += 1)
        mayBreak[index + below] = false;
    const style = getComputedStyle(row);
    const group = row.parentElement as HTMLElement;
    const isFirst = rows[index - 1]?.parentElement !== group;
    const groupStyle = isFirst ? getComputedStyle(group) : undefined;
    if (BREAK.test(style.breakBefore) || (groupStyle && BREAK.test(groupStyle.breakBefore)))
      mustBreak[index] = index > 0;
    if (BREAK.test(style.breakAfter) && index + 1 < rows.length) mustBreak[index + 1] = true;
    if (style.breakBefore.startsWith('avoid')) mayBreak[index] = false;
    if (style.breakAfter.startsWith('avoid') && index + 1 < rows.length) mayBreak[index + 1] = false;
    if (!isFirst && getComputedStyle(group).breakInside.startsWith('avoid')) mayBreak[index] = false;
  }
  // The headings directly before the table stay with it. A field of a form can replace the form's properties.
  const previous = Object.getOwnPropertyDescriptor(Element.prototype, 'previousElementSibling');
  let firstOfPage: Element = element;
  for (;;) {
    const before = previous?.get?.call(firstOfPage) as Element | null;
    if (!before) break;
    const { breakAfter, display } = getComputedStyle(before);
    const isHeading = Element.prototype.matches.call(before, 'h1, h2, h3, h4, h5, h6');
    if (display === 'none' || !(breakAfter.startsWith('avoid') || isHeading)) break;
    firstOfPage = before;
  }

  /** The margin at the top of the first element; margins of parents that begin with it collapse with it. */
  let leadMargin = 0;
  const parent = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement');
  for (let at: Element | null = firstOfPage; at; at = parent?.get?.call(at) as Element | null) {
    const { marginTop, paddingTop, borderTopWidth } = getComputedStyle(at);
    if (at !== firstOfPage && (Number.parseFloat(paddingTop) > 0 || Number.parseFloat(borderTopWidth) > 0))
      break;
    leadMargin = Math.max(leadMargin, Number.parseFloat(marginTop) || 0);
    if (previous?.get?.call(at)) break;
  }

  const takeOver = (): void => {
    for (const section of [head, foot]) if (section) set(section, 'display', 'table-row-group');
    const lastGroup = rows.at(-1)?.parentElement;
    // Chromium shows a tfoot at the end of the table wherever it is, but not with the display of a tbody.
    if (
      foot &&
      lastGroup &&
      (foot.compareDocumentPosition(lastGroup) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    )
      lastGroup.after(foot);
    for (const [index, must] of mustBreak.entries()) {
      if (!must) continue;
      // The copied rows bring the break.
      for (const row of [rows[index], rows[index - 1]]) {
        if (row) set(row, 'break-before', 'auto');
        if (row) set(row, 'break-after', 'auto');
      }
      const group = rows[index]?.parentElement;
      if (group && rows[index - 1]?.parentElement !== group) set(group, 'break-before', 'auto');
    }
    for (const row of [...rows, ...headRows, ...footRows]) set(row, 'break-inside', 'avoid');
  };

  let repeatedHeights = new Map<Element, number>();
  const measure = (): TableSizes => {
    const { borderCollapse, borderSpacing } = getComputedStyle(element);
    const [horizontal = '0', vertical = horizontal] = borderSpacing.split(' ');
    const spacing = borderCollapse === 'collapse' ? 0 : Number.parseFloat(vertical);
    const heightOf = (row: Element): number => {
      const { height } = boxOf(row);
      return height > 0 ? height + spacing : 0;
    };
    if (isAllShown) repeatedHeights = new Map([...headRows, ...footRows].map((row) => [row, heightOf(row)]));
    const table = boxOf(element);
    const firstRow = [...headRows, ...rows].find((row) => boxOf(row).height > 0) ?? element;
    const lastRow = [...rows, ...footRows].findLast((row) => boxOf(row).height > 0) ?? element;
    const repeated = (isFirst: boolean, isLast: boolean): number => {
      let height = 0;
      for (const [row, rowHeight] of repeatedHeights) if (shows(row, isFirst, isLast)) height += rowHeight;
      return height;
    };
    return {
      before: boxOf(firstRow).top - table.top,
      lead: table.top - boxOf(firstOfPage).top,
      leadMargin,
      after: Math.max(0, table.bottom - boxOf(lastRow).bottom - spacing),
      rows: rows.map(heightOf),
      repeated,
      mayBreak,
      mustBreak,
    };
  };

  let isAllShown = false;
  const showAll = (all: boolean): void => {
    isAllShown = all;
    if (!all) return showEnds(true);
    for (const row of [...headRows, ...footRows]) show(row, true);
  };

  /** A row between the parts of the table: the row it repeats, with its content at the time of the copy. */
  interface CopiedRow {
    source: HTMLElement;
    content: string;
    row: HTMLElement;
    count: number;
  }
  let copies: CopiedRow[] = [];
  const removeIds = (part: Element): void => {
    for (const each of [part, ...part.querySelectorAll('[id]')])
      Element.prototype.removeAttribute.call(each, 'id');
  };

  /** Copies rows of `thead` or `tfoot` with the sums of the first `count` rows. */
  const copyRows = (
    section: HTMLTableSectionElement,
    shown: readonly HTMLTableRowElement[],
    count: number,
  ): HTMLElement => {
    const copy = section.cloneNode(false) as HTMLElement;
    for (const source of shown) {
      const row = source.cloneNode(true) as HTMLElement;
      show(source, true, row);
      copy.append(row);
      copies.push({ source, content: source.innerHTML, row, count });
    }
    removeIds(copy);
    copy.setAttribute('aria-hidden', 'true');
    set(copy, 'counter-reset', 'none');
    fill(copy, count);
    return copy;
  };

  const refresh = (): boolean => {
    const contents = new Map([...headRows, ...footRows].map((row) => [row as HTMLElement, row.innerHTML]));
    const stale = copies.filter(({ source, content }) => contents.get(source) !== content);
    for (const copied of stale) {
      const { source, row, count } = copied;
      row.replaceChildren(...source.cloneNode(true).childNodes);
      removeIds(row);
      fill(row, count);
      copied.content = contents.get(source) ?? '';
    }
    return stale.length > 0;
  };

  /** The groups of the rows, as the document has them. */
  const groups = rows.map((row) => row.parentElement as HTMLElement);
  let inserted: Element[] = [];
  let breaking: HTMLElement[] = [];
  const restore = (): void => {
    for (const row of breaking) set(row, 'break-before', 'auto');
    breaking = [];
    for (const [index, row] of rows.entries())
      if (row.parentElement !== groups[index]) groups[index]?.append(row);
    for (const part of inserted) part.remove();
    inserted = [];
    copies = [];
  };

  /** Tells whether the document shows a row when the table repeats it. */
  const isVisible = (row: Element): boolean => repeatedHeights.get(row) !== 0;
  const hasBox = (row: Element): boolean => getComputedStyle(row).display !== 'none';

  /** Adds the repeated rows without height, with the sums of all rows. */
  const widen = (): void => {
    for (const [section, shown] of [
      [head, headRows.filter((row) => shows(row, false, false))],
      [foot, footRows.filter((row) => shows(row, false, false))],
    ] as const) {
      if (!section || shown.length === 0) continue;
      const copy = copyRows(section, shown, rows.length);
      for (const row of copy.children) set(row as HTMLElement, 'visibility', 'collapse');
      groups[0]?.before(copy);
      inserted.push(copy);
    }
  };

  const divide = (breaks: readonly number[], widens = false): FragmentRows => {
    restore();
    isAllShown = false;
    showEnds(breaks.length === 0);
    const ends: HTMLElement[] = [];
    let end = rows.length;
    for (const [at, count] of [...breaks.entries()].toReversed()) {
      const group = groups[count] as HTMLElement;
      let part = group;
      if (groups[count - 1] === group) {
        part = group.cloneNode(false) as HTMLElement;
        part.removeAttribute('id');
        set(part, 'counter-reset', 'none');
        group.after(part);
        inserted.push(part);
        for (let row = count; row < end && groups[row] === group; row += 1) part.append(rows[row] as Element);
      }
      end = count;
      const shownFoot = footRows.filter((row) => isVisible(row) && shows(row, at === 0, false));
      const shownHead = headRows.filter(
        (row) => isVisible(row) && shows(row, false, at === breaks.length - 1),
      );
      let first: HTMLElement | undefined = rows[count];
      if (head && shownHead.length > 0) {
        const copy = copyRows(head, shownHead, count);
        part.before(copy);
        inserted.push(copy);
        part = copy;
        first = copy.firstElementChild as HTMLElement;
      }
      if (first) {
        set(first, 'break-before', 'page');
        breaking.push(first);
      }
      let last = rows[count - 1] as HTMLElement;
      if (foot && shownFoot.length > 0) {
        const copy = copyRows(foot, shownFoot, count);
        part.before(copy);
        inserted.push(copy);
        last = copy.lastElementChild as HTMLElement;
      }
      ends.unshift(last);
    }
    if (widens) widen();
    const lastRow = [...rows, ...footRows].findLast(hasBox);
    if (lastRow) ends.push(lastRow);
    return { first: [...headRows, ...rows].find(hasBox), ends };
  };

  const styleProperty = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style');
  const leadingStyle = styleProperty?.get?.call(firstOfPage) as CSSStyleDeclaration;
  const ownBreak = leadingStyle.getPropertyValue('break-before');
  const ownPriority = leadingStyle.getPropertyPriority('break-before');
  const beginPage = (begins: boolean): void =>
    begins
      ? leadingStyle.setProperty('break-before', 'page', 'important')
      : leadingStyle.setProperty('break-before', ownBreak, ownPriority);

  return {
    takeOver,
    showAll,
    measure,
    repeatedHeight: (row) => repeatedHeights.get(row) ?? 0,
    divide,
    refresh,
    beginPage,
  };
}
