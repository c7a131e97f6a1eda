import type { Note } from './collect-notes.ts';
import type { FilledPage } from './fill-pages.ts';
import type { AreaOf } from './page-areas.ts';

/** The notes of a page. Lengths are in pixels. */
export interface NoteArea {
  /** The index of the page. */
  page: number;
  holder: HTMLElement;
  /** The height of all pages before. */
  above: number;
  /** The position of the area on the page, and the position of its first marker. */
  top: number;
  noteTop: number;
}

export interface NoteAreas {
  /** Measures the notes: the height of each at a width, and the height of an area without notes. */
  measure(width: number): { heights: number[]; extra: number };
  /**
   * Puts the notes at the foot of their pages. `filled` are the pages whose boxes would show through.
   */
  place(pages: readonly FilledPage[], filled: ReadonlySet<number>, areaOf: AreaOf): NoteArea[];
  /** Puts all notes at the end of the document. */
  append(): void;
}

/**
 * Creates the areas for notes: `<div class="footnotes">` outside of `body`, where they match no selector such
 * as `body > :last-child`. Chromium places an absolutely positioned element on a page by its distance from
 * the top of the first page, without the margins between pages.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function createNoteAreas(notes: readonly Note[]): NoteAreas {
  const create = Document.prototype.createElement.bind(document);
  const readDocument = (property: 'documentElement' | 'body') =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as HTMLElement;
  const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
  const root = readDocument('documentElement');
  const body = readDocument('body');
  // Pages are rounded to whole pixels, and Chromium shrinks a document with content outside of the page.
  const isRtl = [root, body].some((element) => getComputedStyle(element).direction === 'rtl');
  const INHERITED = [
    'fontFamily',
    'fontSize',
    'fontVariantNumeric',
    'fontFeatureSettings',
    'color',
    'lineHeight',
    'direction',
    'textAlign',
    'hyphens',
  ] as const;

  const style = getComputedStyle(body);
  const inherited: Record<string, string> = Object.fromEntries(INHERITED.map((name) => [name, style[name]]));
  for (const side of ['Left', 'Right'] as const) {
    const edges = [`margin${side}`, `border${side}Width`, `padding${side}`] as const;
    const inset = edges.map((edge) => Number.parseFloat(style[edge]) || 0).reduce((a, b) => a + b);
    inherited[`padding${side}`] = `${inset}px`;
  }

  /** Creates an area with the text styles and the width of the content of `body`. */
  const add = (width?: number): { holder: HTMLElement; area: HTMLElement } => {
    const holder = create('platen-footnotes');
    holder.style.cssText =
      width === undefined
        ? 'display: block'
        : `display: flex; flex-direction: column; justify-content: flex-end; position: absolute; ${isRtl ? 'right' : 'left'}: 0; top: 0; width: ${width}px; box-sizing: border-box; break-inside: avoid`;
    Object.assign(holder.style, inherited);
    const area = create('div');
    area.className = 'footnotes';
    holder.append(area);
    root.append(holder);
    return { holder, area };
  };

  const measure: NoteAreas['measure'] = (width) => {
    const { holder, area } = add(width);
    holder.style.textRendering = 'geometricPrecision';
    for (const { note } of notes) area.append(note);
    const { top, bottom } = boxOf(holder);
    const boxes = notes.map(({ note }) => boxOf(note));
    holder.remove();
    const heights = boxes.map((box, index) => (boxes[index + 1]?.top ?? box.bottom) - box.top);
    return { heights, extra: bottom - top - heights.reduce((a, b) => a + b, 0) };
  };

  const TRANSPARENT = 'rgba(0, 0, 0, 0)';
  const place: NoteAreas['place'] = (pages, filled, areaOf) => {
    const colours = [body, root].map((element) => getComputedStyle(element).backgroundColor);
    const paper = colours.find((colour) => colour !== TRANSPARENT) ?? '#fff';
    const placed: NoteArea[] = [];
    let above = 0;
    let next = 1;
    for (const [index, page] of pages.entries()) {
      // Pages without content precede a page that must be on the other side.
      for (; next < page.number; next += 1) above += areaOf(next, '').height;
      const { width, height } = page.area;
      const first = page.notes[0] === undefined ? undefined : notes[page.notes[0]]?.note;
      if (first) {
        const { holder, area } = add(width);
        for (const note of page.notes) area.append(notes[note]?.note ?? '');
        if (filled.has(index)) {
          const rest = height - page.headHeight - (page.bottom - page.top) - page.footHeight;
          holder.style.minHeight = `${Math.max(0, Math.floor(rest))}px`;
          holder.style.backgroundColor = paper;
          holder.style.setProperty('print-color-adjust', 'exact');
        }
        placed.push({ page: index, holder, above, top: 0, noteTop: 0 });
      }
      above += height;
      next = page.number + 1;
    }
    // All are measured before any is moved, so that the document is laid out once.
    for (const area of placed) {
      const box = boxOf(area.holder);
      const { notes: [first = 0] = [], area: { height } = box } = pages[area.page] ?? {};
      area.top = height - box.height;
      area.noteTop = area.top + boxOf(notes[first]?.marker ?? area.holder).top - box.top;
    }
    for (const { holder, above: before, top } of placed) holder.style.top = `${before + top}px`;
    return placed;
  };

  return {
    measure,
    place,
    append: () => {
      const { area } = add();
      for (const { note } of notes) area.append(note);
    },
  };
}
