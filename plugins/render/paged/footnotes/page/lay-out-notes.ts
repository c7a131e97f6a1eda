import type { PlacesOfPrint } from '../../page/places-of-print.ts';
import type { PagedFault, Prepared, Written } from '../../page/prepared.ts';
import type { CarriedRows } from '../../carried/page/carry-rows.ts';
import type { createPlacedRows } from './placed-rows.ts';
import type { createCarriedTables, PlannedRow } from './carried-tables.ts';
import type { CollectedNotes } from './collect-notes.ts';
import type { comparePrint } from './compare-print.ts';
import type { FilledPage, fillPages } from './fill-pages.ts';
import type { joinRanges } from '../../page/join-ranges.ts';
import type { measureFlow, MeasuredFlow } from '../../page/measure-flow.ts';
import type { createNoteAreas, NoteArea } from './note-areas.ts';
import type { AreaOf, AreaSettings, readPageAreas } from './page-areas.ts';
import type { PinnedPages, pinPages } from './pin-pages.ts';

/**
 * The functions that {@link layOutNotes} combines, because only source texts are sent to the browser page.
 */
export interface NoteParts {
  readPageAreas: typeof readPageAreas;
  createCarriedTables: typeof createCarriedTables;
  createPlacedRows: typeof createPlacedRows;
  createNoteAreas: typeof createNoteAreas;
  measureFlow: typeof measureFlow;
  fillPages: typeof fillPages;
  joinRanges: typeof joinRanges;
  pinPages: typeof pinPages;
  comparePrint: typeof comparePrint;
}

export interface NoteSettings extends AreaSettings {
  /**
   * The limit on the number of calls and notes times the number of pages, which determines how long Chromium
   * prints.
   */
  maxTargetsTimesPages: number;
  /** Whether the document has a single page, at whose end the notes are. */
  isSinglePage: boolean;
}

/**
 * Moves the footnotes of a document to the foot of their pages. It lays the document out on one endless page,
 * distributes the lines and notes over the pages, and ends each page there. Then the print shows whether all
 * calls and notes are on the planned pages.
 *
 * The function runs in the browser page and is self-contained, like its parts.
 * @param carried the prepared tables with carried rows, which are then divided by this plan
 */
export function layOutNotes(
  settings: NoteSettings,
  parts: NoteParts,
  { notes, numbering }: CollectedNotes,
  carried: CarriedRows | undefined,
): Prepared {
  const create = Document.prototype.createElement.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  const readDocument = (property: 'documentElement' | 'head') =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as HTMLElement | null;
  if (notes.length === 0) return {};

  /** Shows the number of a note. Returns whether it changed. */
  const number = (index: number, text: string): boolean => {
    const links = [notes[index]?.call, notes[index]?.marker].filter((link) => link?.textContent !== text);
    for (const link of links) if (link) link.textContent = text;
    return links.length > 0;
  };
  let inSection = 0;
  for (const [index, { section }] of notes.entries()) {
    const isSame = numbering !== 'section' || section === notes[index - 1]?.section;
    inSection = isSame ? inSection + 1 : 1;
    number(index, String(numbering === 'page' ? 1 : inSection));
  }
  const numberByPage = (): boolean => {
    const changes = pages.flatMap((page) => page.notes.map((note, at) => number(note, String(at + 1))));
    return changes.includes(true);
  };

  const areas = parts.createNoteAreas(notes);
  if (settings.isSinglePage) {
    areas.append();
    return {};
  }

  /** Chromium writes destinations only for linked elements. In the head, links match no selector. */
  const links = create('div');
  (readDocument('head') ?? readDocument('documentElement'))?.append(links);
  const linkTo = (fragment: string): void => {
    const link = create('a');
    link.setAttribute('href', `#${fragment}`);
    links.append(link);
  };
  let generated = 0;
  const newTarget = (prefix: string): string => {
    let id = '';
    do id = `${prefix}-${(generated += 1)}`;
    while (byId(id));
    linkTo(id);
    return id;
  };
  const linked = new Map<Element, string>();
  /** Makes Chromium write the place of an element. Returns the name of its destination. */
  const follow = (element: HTMLElement): string => {
    let name = linked.get(element);
    if (name === undefined) {
      if (element.id === '') element.id = newTarget('platen-row');
      else linkTo(encodeURIComponent(element.id.toWellFormed()));
      name = encodeURIComponent(element.id.toWellFormed());
      linked.set(element, name);
    }
    return name;
  };

  const readArea = parts.readPageAreas(settings);
  let heightError = 0;
  const areaOf: AreaOf = (page, name) => {
    const { width, height } = readArea(page, name);
    return { width, height: height + heightError };
  };
  const tables = parts.createCarriedTables(
    carried?.handOver?.() ?? [],
    parts.createPlacedRows(),
    areaOf(3, '').width,
  );
  const refused = notes.find(({ call }) => tables.refusesNote(call));
  if (refused)
    return {
      fault: `${refused.path}: beside carried rows, a footnote in thead must be in a row that shows on the first page, and a footnote in tfoot must be in a row with data-show-on="last"`,
    };

  const corrections = new Map<number, { loss: number; shift: number }>();
  let isPrecise = true;
  let pinned: PinnedPages | undefined;
  let pages: FilledPage[] = [];
  let placed: NoteArea[] = [];
  let rows: (PlannedRow & { name: string })[] = [];
  const calls = notes.map(({ call }) => call);

  /** Lays the document out without notes at the width of each of its pages. */
  const measure = (): { flows: MeasuredFlow[]; usual: MeasuredFlow } | { fault: PagedFault } => {
    const measured = new Map<number, MeasuredFlow>();
    const faults: PagedFault[] = [];
    const at = (width: number): MeasuredFlow => {
      const known = measured.get(width);
      if (known) return known;
      const flow = parts.measureFlow({ width, isPrecise }, calls);
      const fault = tables.constrain(flow, width);
      if (fault !== undefined) faults.push(fault);
      measured.set(width, flow);
      return flow;
    };
    const usual = at(areaOf(3, '').width);
    const flows: MeasuredFlow[] = [];
    for (const [index, { pageName }] of usual.sections.entries()) {
      const { width } = areaOf(index === 0 ? 1 : 3, pageName);
      const flow = at(width);
      flows.push(flow);
      if (flow.sections.length !== usual.sections.length)
        return { fault: 'a document with footnotes must have the same page breaks at each width of a page' };
      if (flow.contentWidth > width + 1)
        return {
          fault: `the document is ${Math.ceil(flow.contentWidth)} pixels wide and its pages are ${width}; with footnotes, it must not be wider than its pages`,
        };
    }
    return faults[0] === undefined ? { flows, usual } : { fault: faults[0] };
  };

  /** Distributes the measured document over pages. */
  const fill = (flows: MeasuredFlow[], usual: MeasuredFlow): PagedFault | undefined => {
    const inOrder = notes
      .map(({ path }, note) => {
        const at = usual.marks[note] ?? 0;
        const section = Math.max(
          0,
          usual.sections.findLastIndex(({ top }) => top <= at),
        );
        return { note, section, at: flows[section]?.marks[note] ?? 0, path };
      })
      .sort((a, b) => a.section - b.section || a.at - b.at);
    /** The heights of the notes before each call, by the width of the page. */
    const sums = new Map<number, { before: number[]; extra: number }>();
    const sumsAt = (width: number): { before: number[]; extra: number } => {
      const { heights, extra } = areas.measure(width);
      const before = [0];
      for (const { note } of inOrder) before.push((before.at(-1) ?? 0) + (heights[note] ?? 0));
      const found = { before, extra };
      sums.set(width, found);
      return found;
    };
    const result = parts.fillPages({
      sections: flows.flatMap((flow, index) => {
        const section = flow.sections[index];
        return section ? [{ flow, section, bottom: flow.sections[index + 1]?.top ?? Infinity }] : [];
      }),
      calls: inOrder,
      areaOf,
      notesHeight: (from, to, width) => {
        if (to <= from) return 0;
        const { before, extra } = sums.get(width) ?? sumsAt(width);
        return extra + (before[to] ?? 0) - (before[from] ?? 0);
      },
      correctionOf: (page) => corrections.get(page) ?? { loss: 0, shift: 0 },
      joinRanges: parts.joinRanges,
    });
    if ('fault' in result) return result.fault;
    ({ pages } = result);
    for (const [index, { section, area, number: page }] of pages.entries())
      if (pages[index - 1]?.section === section && pages[index - 1]?.area.width !== area.width)
        return `page ${page} has another width than the page before it; with footnotes, it must begin with a page break`;
    if (pages.length * notes.length * 2 > settings.maxTargetsTimesPages)
      return `the document has ${notes.length} footnotes and about ${pages.length} pages; the product of the two may be up to ${settings.maxTargetsTimesPages / 2}`;
    return undefined;
  };

  const MAX_NUMBERINGS = 6;
  /** Plans the pages, and changes the document accordingly. */
  const plan = (): PagedFault | undefined => {
    pinned?.remove();
    for (const { holder } of placed) holder.remove();
    tables.reset();
    // New numbers may change the lines, and thereby the pages. So may the divided tables.
    for (let numberings = 0; ;) {
      const measured = measure();
      if (tables.hasNewWidth()) {
        tables.reset();
        continue;
      }
      if ('fault' in measured) return measured.fault;
      const { flows, usual } = measured;
      const fault = fill(flows, usual);
      if (fault !== undefined) return fault;
      const divided = tables.divide({ pages, flows });
      if (typeof divided === 'object') return divided.fault;
      if (divided) continue;
      if (numbering === 'page' && numberByPage() && numberings < MAX_NUMBERINGS) {
        numberings += 1;
        tables.reset();
        continue;
      }
      rows = tables
        .plannedRows({ pages, flows })
        .map((planned) => ({ ...planned, name: follow(planned.row) }));
      const lastRowPage = rows.reduce((last, { page }) => Math.max(last, page), -1);
      pinned = parts.pinPages({ pages, flows, isPrecise, lastRowPage }, newTarget);
      placed = areas.place(pages, pinned.filled, areaOf);
      return undefined;
    }
  };

  const write = ({ destinations }: PlacesOfPrint): Written => {
    const places = new Map(destinations.map(({ name, page, top }) => [name, { page, top: (top * 4) / 3 }]));
    const compared = parts.comparePrint(places, {
      notes,
      pages,
      areas: placed,
      rows,
      probes: pinned?.probes ?? [],
    });
    if (compared.unsettled === undefined) return { changed: false };
    heightError += compared.heightError;
    for (const { page, loss, shift } of compared.corrections) {
      const known = corrections.get(page) ?? { loss: 0, shift: 0 };
      corrections.set(page, { loss: known.loss + loss, shift: known.shift + shift });
    }
    // Printed lines of fonts with hints are sometimes as wide as on the screen.
    if (compared.heightError === 0) isPrecise = !isPrecise;
    const fault = plan();
    return { changed: true, element: compared.unsettled, ...(fault !== undefined && { fault }) };
  };

  const fault = plan();
  return fault === undefined ? { write } : { fault };
}
