import type { createDecimals, Decimal } from './decimals.ts';

/** A table with rows that show on some of its pages only. */
export interface CarriedTable {
  element: HTMLTableElement;
  head: HTMLTableSectionElement | null;
  foot: HTMLTableSectionElement | null;
  /** The rows that are divided between pages. */
  rows: HTMLTableRowElement[];
  /** Tells whether a row of `head` or `foot` shows on a fragment. */
  shows: (row: Element, isFirst: boolean, isLast: boolean) => boolean;
  /** Writes the sums of the first rows into the subtotals of an element. */
  fill: (root: Element, rowCount: number) => void;
  /** Names the table in errors. */
  path: string;
}

/** The result of {@link readTables}. */
export type ReadTables = { tables: CarriedTable[]; fault?: undefined } | { fault: string };

/**
 * Reads the sums of the document, writes the subtotals outside of carried rows, and finds the tables with
 * rows that show on some pages only.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`, and a field of a form can replace a method of the form.
 */
export function readTables(create: typeof createDecimals): ReadTables {
  const CARRIED = 'data-carried-forward';
  const BROUGHT = 'data-brought-forward';
  const SHOW_ON = 'data-show-on';
  const SHOWN: Readonly<Record<string, (isFirst: boolean, isLast: boolean) => boolean>> = Object.assign(
    Object.create(null) as object,
    {
      first: (isFirst: boolean) => isFirst,
      last: (_: boolean, isLast: boolean) => isLast,
      'not-first': (isFirst: boolean) => !isFirst,
      'not-last': (_: boolean, isLast: boolean) => !isLast,
    },
  );

  class Fault extends Error {}

  const select = (root: Document | Element, selector: string): HTMLElement[] => {
    const { prototype } = root instanceof Document ? Document : Element;
    const found = [...prototype.querySelectorAll.call(root, selector)];
    return found.filter((element) => element instanceof HTMLElement);
  };
  const attribute = (element: Element, name: string): string =>
    Element.prototype.getAttribute.call(element, name) ?? '';
  const quote = (text: string): string => JSON.stringify(text.replaceAll(/\s+/g, ' ').trim().slice(0, 100));
  const tableOf = (element: Element): HTMLTableElement | null =>
    Element.prototype.closest.call(element, 'table') as HTMLTableElement | null;
  const textOf = (element: Element): string =>
    Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')?.get?.call(element) as string;

  /** Names a table by its id, or by its number in the document. */
  const allTables = select(document, 'table');
  const pathOf = (table: Element): string =>
    table.id === ''
      ? `table ${allTables.indexOf(table as HTMLElement) + 1}`
      : `table#${table.id.slice(0, 100)}`;

  /** Returns the language of an element, or of its table if the element is in a copied row. */
  const languageOf = (element: Element, table = tableOf(element)): string => {
    const closest = (from: Element | null) => from && Element.prototype.closest.call(from, '[lang]');
    const speaking = closest(element) ?? closest(table);
    return (speaking && attribute(speaking, 'lang')) || 'en';
  };
  const known = new Map<string, ReturnType<typeof create>>();
  const decimalsFor = (element: Element, table = tableOf(element)): ReturnType<typeof create> => {
    const language = languageOf(element, table);
    const decimals = known.get(language) ?? create(language);
    known.set(language, decimals);
    return decimals;
  };

  const valueOf = (cell: Element): Decimal | undefined => {
    const plain = attribute(cell, 'data-value');
    const text = textOf(cell);
    // An empty cell adds nothing.
    if (plain === '' && text.trim() === '') return undefined;
    const value = plain === '' ? decimalsFor(cell).read(text) : decimalsFor(cell).readPlain(plain);
    if (value) return value;
    const name = quote(attribute(cell, 'data-sum'));
    throw new Fault(
      plain === ''
        ? `data-sum=${name}: ${quote(text)} is not a number in the language ${quote(languageOf(cell))}; write the number as the language does, or add data-value="1234.5"`
        : `data-sum=${name}: data-value=${quote(plain)} is not a number such as 1234.5`,
    );
  };

  const readTable = (element: HTMLTableElement): CarriedTable => {
    const { tHead: head, tFoot: foot } = element;
    const path = pathOf(element);
    const rows = [...element.rows].filter(
      ({ parentElement }) =>
        !(
          parentElement instanceof HTMLTableSectionElement && /^t(?:head|foot)$/.test(parentElement.localName)
        ),
    );
    const hasSubtotals = select(element, '[data-subtotal]').some((subtotal) => tableOf(subtotal) === element);
    const cells = hasSubtotals
      ? select(element, '[data-sum]').filter((cell) => tableOf(cell) === element)
      : [];
    const rowNumbers = new Map<Element, number>(rows.map((row, index) => [row, index]));
    const names = new Set(cells.map((cell) => attribute(cell, 'data-sum')));
    const addition = decimalsFor(element);
    const nothing: Decimal = { digits: 0n, scale: 0 };
    /** The sums up to each cell that adds to them, by their names. */
    const sums = new Map<string, { row: number; sum: Decimal }[]>();
    for (const cell of cells) {
      const row = rowNumbers.get(Element.prototype.closest.call(cell, 'tr') ?? cell);
      const value = valueOf(cell);
      if (row === undefined || !value) continue;
      const name = attribute(cell, 'data-sum');
      const list = sums.get(name) ?? [];
      list.push({ row, sum: addition.add(list.at(-1)?.sum ?? nothing, value) });
      sums.set(name, list);
    }
    /** Returns the sum of the first rows. */
    const sumOf = (name: string, count: number): Decimal => {
      const list = sums.get(name) ?? [];
      let [before, end] = [0, list.length];
      while (before < end) {
        const middle = (before + end) >> 1;
        if ((list[middle]?.row ?? 0) < count) before = middle + 1;
        else end = middle;
      }
      return list[before - 1]?.sum ?? nothing;
    };
    const write = (subtotal: Element, count: number): void => {
      const name = attribute(subtotal, 'data-subtotal');
      if (!names.has(name) && rows.length > 0)
        throw new Fault(`data-subtotal=${quote(name)}: ${path} has no cell with data-sum=${quote(name)}`);
      const format = attribute(subtotal, 'data-format');
      const text = decimalsFor(subtotal, element).write(sumOf(name, count), format);
      if (text === undefined)
        throw new Fault(
          `data-format=${quote(format)} is not a format; use for example "EUR", "EUR display=code" or "decimals=2"`,
        );
      Element.prototype.replaceChildren.call(subtotal, text);
    };
    const fill = (part: Element, count: number): void => {
      for (const subtotal of select(part, '[data-subtotal]')) {
        const table = tableOf(subtotal);
        // A copied row is filled before it is in the table.
        if (table === element || table === null) write(subtotal, count);
      }
    };
    if (head) fill(head, 0);
    for (const [index, row] of hasSubtotals ? rows.entries() : []) fill(row, index + 1);
    if (foot) fill(foot, rows.length);

    const shows = (row: Element, isFirst: boolean, isLast: boolean): boolean =>
      (SHOWN[attribute(row, SHOW_ON)]?.(isFirst, isLast) ?? true) &&
      !(row.hasAttribute(CARRIED) && isLast) &&
      !(row.hasAttribute(BROUGHT) && isFirst);
    return { element, head, foot, rows, shows, fill, path };
  };

  const requirePlace = (row: HTMLElement, name: string, sections: readonly string[]): void => {
    const section = row.parentElement;
    if (row.localName === 'tr' && sections.includes(section?.localName ?? '')) return;
    throw new Fault(`${name} belongs to a <tr> in ${sections.map((part) => `<${part}>`).join(' or ')}`);
  };

  try {
    const found = new Set<HTMLTableElement>();
    const carried = new Set<HTMLTableElement>();
    for (const subtotal of select(document, '[data-subtotal]')) {
      const table = tableOf(subtotal);
      if (!table)
        throw new Fault(`data-subtotal=${quote(attribute(subtotal, 'data-subtotal'))} is not in a table`);
      found.add(table);
    }
    for (const [name, sections] of [
      [CARRIED, ['tfoot']],
      [BROUGHT, ['thead']],
      [SHOW_ON, ['thead', 'tfoot']],
    ] as const)
      for (const row of select(document, `[${name}]`)) {
        requirePlace(row, name, sections);
        const value = attribute(row, SHOW_ON);
        if (name === SHOW_ON && !SHOWN[value])
          throw new Fault(`data-show-on=${quote(value)} must be first, last, not-first or not-last`);
        const table = tableOf(row);
        if (!table) continue;
        found.add(table);
        // Only the first thead and the first tfoot of a table are repeated.
        if (row.parentElement === table.tHead || row.parentElement === table.tFoot) carried.add(table);
      }
    // In the order of the document.
    const tables = allTables.filter((table) => found.has(table as HTMLTableElement)) as HTMLTableElement[];
    return { tables: tables.map(readTable).filter(({ element }) => carried.has(element)) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    return { fault: `the sums cannot be read: ${String(error).slice(0, 200)}` };
  }
}
