/** A section of a document: an element with `data-section` that begins a page. */
export interface Section {
  element: HTMLElement;
  title: string;
  /** The fragment of the destination at its start. */
  start: string;
  /** The content after the section that begins a page, and so does not belong to it. */
  after: { element: HTMLElement; fragment: string } | undefined;
}

/** The pages of a section, counted from 1, and its title. Other pages belong to no section. */
export interface SectionPages {
  title: string;
  first: number;
  last: number;
}

/**
 * Finds the sections of a document, and adds a hidden link to each start, because Chromium writes
 * destinations only for linked elements.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 */
export function findSections(
  { maxSections }: { maxSections: number },
  beginsPage: (element: Element) => boolean,
): Section[] | { fault: string } {
  const create = Document.prototype.createElement.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement')?.get?.call(document);
  const head = Document.prototype.querySelector.call(document, 'head') ?? (root as HTMLElement);
  const links = create('div');
  const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement');
  const parentOf = (node: Node): Element | null => parentElement?.get?.call(node) as Element | null;
  const nameOf = (title: string) => `the section ${JSON.stringify(title.slice(0, 60))}`;

  let generated = 0;
  const addTarget = (element: HTMLElement): string => {
    if (element.id === '') {
      do generated += 1;
      while (byId(`section-${generated}`));
      element.id = `section-${generated}`;
    }
    const fragment = encodeURIComponent(element.id.toWellFormed());
    const link = create('a');
    link.setAttribute('href', `#${fragment}`);
    links.append(link);
    return fragment;
  };
  /** Returns the first element after another in the document, outside of it. */
  const elementAfter = (element: Element): HTMLElement | undefined => {
    for (let at: Element | null = element; at; at = parentOf(at))
      for (let next = at.nextElementSibling; next; next = next.nextElementSibling)
        if (next instanceof HTMLElement && getComputedStyle(next).display !== 'none') return next;
    return undefined;
  };

  const found: Section[] = [];
  for (const element of Document.prototype.querySelectorAll.call(document, 'section[data-section]')) {
    if (!(element instanceof HTMLElement) || getComputedStyle(element).display === 'none') continue;
    const title = (element.getAttribute('data-section') ?? '').replaceAll(/\s+/g, ' ').trim();
    if (title === '')
      return { fault: 'data-section must be the title of the section, and must not be blank' };
    if (parentOf(element)?.closest('section[data-section]'))
      return { fault: `${nameOf(title)} is inside another section; sections must not be nested` };
    if (getComputedStyle(element).display === 'contents')
      return { fault: `${nameOf(title)} has no box; remove "display: contents"` };
    if (!beginsPage(element))
      return { fault: `${nameOf(title)} does not begin a page; give it "break-before: page"` };
    const next = elementAfter(element);
    const isOutside = next && !next.matches('section[data-section]') && beginsPage(next);
    found.push({
      element,
      title,
      start: addTarget(element),
      after: isOutside ? { element: next, fragment: addTarget(next) } : undefined,
    });
    if (found.length > maxSections)
      return { fault: `the document has more than ${maxSections} elements with data-section` };
  }
  head.append(links);
  return found;
}
