/** A warning about an element, with its code. */
export interface Habit {
  element: Element;
  code: 'HEADERS_MISSING' | 'HEADING_MISSING' | 'ALT_FILE_NAME';
  message: string;
}

/**
 * Finds signs of a document that its author did not prepare for screen readers: tables without header cells,
 * no heading, and text alternatives that are file names. Only a person can tell whether they are faults. Runs
 * in the browser page, and is self-contained like {@link checkDocument}.
 */
export function findHabits(
  selectDeep: (selector: string) => Element[],
  isShown: (element: Element) => boolean,
): Habit[] {
  const found: Habit[] = [];
  const inner = (element: Element, selector: string) =>
    Element.prototype.querySelectorAll.call(element, selector);
  for (const element of selectDeep('table:not([role=presentation], [role=none])')) {
    if (!(element instanceof HTMLTableElement) || !isShown(element)) continue;
    const rows = [...element.rows];
    const columns = Math.max(0, ...rows.slice(0, 100).map(({ cells }) => cells.length));
    const headers = inner(element, 'th, [role=columnheader], [role=rowheader]').length;
    // A table with other tables in it, or with a single row or column, arranges its content.
    if (headers > 0 || rows.length < 2 || columns < 2 || inner(element, 'table').length > 0) continue;
    found.push({
      element,
      code: 'HEADERS_MISSING',
      message:
        'the table has no header cells; use th, or role="presentation" if it only arranges its content',
    });
  }
  for (const element of selectDeep('img[alt], input[type=image][alt]')) {
    const alternative = (Element.prototype.getAttribute.call(element, 'alt') ?? '').trim();
    const isName = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$|^(?:img|dsc|dscn|dscf)[_-]?\d+$/i;
    if (!isShown(element) || alternative.length > 300 || !isName.test(alternative)) continue;
    found.push({
      element,
      code: 'ALT_FILE_NAME',
      message: 'the text alternative is the name of a file; describe the picture',
    });
  }
  const headings = selectDeep('h1, h2, h3, h4, h5, h6, [role=heading]');
  const [body] = selectDeep('body');
  const text: unknown = body && Reflect.get(HTMLElement.prototype, 'innerText', body);
  if (body && !headings.some(isShown) && typeof text === 'string' && text.trim() !== '')
    found.push({
      element: body,
      code: 'HEADING_MISSING',
      message: 'the document has no heading; begin with h1',
    });
  return found;
}
