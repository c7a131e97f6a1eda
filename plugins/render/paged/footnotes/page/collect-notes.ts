import type { Prepared } from '../../page/prepared.ts';

/** A footnote: its call in the text, and the note itself. */
export interface Note {
  call: HTMLAnchorElement;
  note: HTMLElement;
  marker: HTMLAnchorElement;
  /** The outermost `section` with the call. */
  section: Element | null;
  /** The CSS path of the footnote in the document of the caller. */
  path: string;
}

export interface CollectSettings {
  maxNotes: number;
  /** The starts of the ids of calls and of markers, to which calls lead. */
  callPrefix: string;
  notePrefix: string;
}

/** How the notes are numbered: anew on each page, in each outermost `section`, or in the whole document. */
export type Numbering = 'page' | 'section' | 'document';

/** The footnotes of a document. */
export interface CollectedNotes extends Prepared {
  notes: Note[];
  numbering: Numbering;
}

/**
 * Replaces each `[data-footnote]` element with a call, and makes the element a note, which is not yet part of
 * the document. Elements without a box and empty elements stay without a number. Adds the default styles.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 */
export function collectNotes({
  maxNotes,
  callPrefix,
  notePrefix,
}: CollectSettings): CollectedNotes | Prepared {
  const select = Document.prototype.querySelectorAll.bind(document);
  const create = Document.prototype.createElement.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  const readDocument = <Name extends keyof Document>(property: Name): Document[Name] =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as Document[Name];
  const parentOf = (node: Node): Element | null =>
    Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement')?.get?.call(node) as Element | null;
  const attribute = (element: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(element, name);
  const root = readDocument('documentElement');
  const body = readDocument('body');
  const head = (readDocument('head') as HTMLElement | null) ?? root;

  /** Returns a selector that matches the element alone. */
  const pathOf = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at && steps.length < 60; at = parentOf(at)) {
      const id = attribute(at, 'id') ?? '';
      if (id !== '' && id.length <= 100 && select(`#${CSS.escape(id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(id)}`);
        break;
      }
      const parent = parentOf(at);
      const name = CSS.escape(at.localName.slice(0, 100));
      const alike = parent ? [...Element.prototype.querySelectorAll.call(parent, `:scope > ${name}`)] : [at];
      steps.unshift(alike.length === 1 ? name : `${name}:nth-of-type(${alike.indexOf(at) + 1})`);
    }
    return steps.join(' > ');
  };

  const settings = [root, body].map((element) => attribute(element, 'data-footnotes'));
  const numbering = settings.findLast((value) => value !== null)?.trim() || 'document';
  if (numbering !== 'page' && numbering !== 'section' && numbering !== 'document')
    return {
      fault: `data-footnotes: ${JSON.stringify(numbering.slice(0, 50))} is not "page", "section" or "document"`,
    };

  const style = create('style');
  style.textContent = `
    :where(.footnote-call) { vertical-align: super; font-size: 0.7em; line-height: 0; color: inherit; text-decoration: none }
    :where(.footnotes) { font-size: 0.8em; line-height: 1.35; padding-top: 8pt }
    :where(.footnotes)::before { content: ""; display: block; width: 30%; border-top: 0.5pt solid; margin-bottom: 3pt }
    :where(.footnotes > [data-footnote]) { display: block; margin: 0 0 1pt }
    :where(.footnote-marker) { color: inherit; text-decoration: none }
    :where(.footnote-marker)::after { content: ". " }`;
  // Before all other styles, so that they win.
  head.prepend(style);

  const elements = ([...select('[data-footnote]')] as Element[]).filter(
    (element): element is HTMLElement => element instanceof HTMLElement,
  );
  for (const element of elements) {
    if (element === root || element === body)
      return { fault: `${pathOf(element)}: the document itself cannot be a footnote` };
    const outer = parentOf(element)?.closest('[data-footnote]');
    if (outer) return { fault: `${pathOf(element)}: a footnote cannot be part of another footnote` };
  }
  /** Tells whether an element has a box in the flow of pages. */
  const hasBox = (element: Element): boolean => Element.prototype.getClientRects.call(element).length > 0;
  const isEmpty = (element: Element): boolean =>
    element.textContent.trim() === '' &&
    Element.prototype.querySelector.call(element, 'img, svg, canvas, video, math, input') === null;
  const shown = elements.filter((element) => !isEmpty(element) && hasBox(element));
  if (shown.length > maxNotes)
    return { fault: `the document has ${shown.length} footnotes; the limit is ${maxNotes}` };
  for (const element of shown)
    for (let at = parentOf(element); at && at !== root; at = parentOf(at)) {
      const { position } = getComputedStyle(at);
      if (position === 'absolute' || position === 'fixed')
        return { fault: `${pathOf(element)}: a footnote cannot be in an element with position: ${position}` };
    }
  for (const element of elements) if (isEmpty(element)) element.remove();
  const paths = shown.map(pathOf);

  /** Text after which a line may end although a digit follows. A word joiner prevents that. */
  const BREAKABLE = /[!?\u2E80-\uFFEF]$/;
  let generated = 0;
  /** Returns an unused id that begins with the prefix. */
  const newId = (prefix: string): string => {
    let id = '';
    do id = `${prefix}${(generated += 1)}`;
    while (byId(id));
    return id;
  };
  const base = Document.prototype.querySelector.call(document, 'base[href]')
    ? (readDocument('URL').split('#')[0] ?? '')
    : '';
  const linkTo = (id: string) => `${base}#${encodeURIComponent(id.toWellFormed())}`;
  const notes = shown.map((note, index): Note => {
    const call = create('a');
    const marker = create('a');
    call.className = 'footnote-call';
    marker.className = 'footnote-marker';
    call.id = newId(callPrefix);
    marker.id = newId(notePrefix);
    note.setAttribute('role', 'note');
    call.href = linkTo(marker.id);
    marker.href = linkTo(call.id);
    let section: Element | null = null;
    for (let at = parentOf(note); at; at = parentOf(at)) if (at.localName === 'section') section = at;
    const before = note.previousSibling;
    note.replaceWith(call);
    if (before instanceof Text && BREAKABLE.test(before.data)) call.before('\u2060');
    note.prepend(marker);
    return { call, note, marker, section, path: paths[index] ?? '' };
  });
  return { notes, numbering };
}
