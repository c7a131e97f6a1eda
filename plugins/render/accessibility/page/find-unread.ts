import type { PageReaders } from './describe-elements.ts';

/** An element with content that a screen reader would not read, and the reason. */
export interface Unread {
  element: Element;
  message: string;
}

/**
 * Finds elements whose content Chromium draws without tags: frames, file fields, and the fields and formulas
 * that were not described before the document was printed. Runs in the browser page, and is self-contained
 * like {@link checkDocument}.
 */
export function findUnread({ described, selectDeep, readField, readFormula }: PageReaders): Unread[] {
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  const matches = (element: Element, selector: string): boolean =>
    Element.prototype.matches.call(element, selector);
  const starts = Object.values(described);
  const isDescribed = (element: Element) =>
    starts.some((start) => attribute(element, 'aria-label')?.startsWith(start));
  const pictures =
    'img, svg, canvas, video, audio, object, embed, iframe, input, select, textarea, meter, progress';
  const frame = 'a screen reader does not read the content of the frame';

  /** Returns the document in a frame; `null` if it is of another origin or the element is no frame. */
  const documentIn = (element: Element): Document | null => {
    for (const { prototype } of [HTMLIFrameElement, HTMLFrameElement, HTMLObjectElement])
      if (Object.prototype.isPrototypeOf.call(prototype, element)) {
        const inner: unknown = Reflect.get(prototype, 'contentDocument', element);
        return (inner as Document | null) ?? null;
      }
    return null;
  };
  const hasContent = ({ body, documentElement: root }: Document): boolean => {
    if (!root) return false;
    if (root.localName === 'svg' || (body as HTMLElement | null)?.localName === 'frameset') return true;
    return (body?.innerText ?? root.textContent).trim() !== '' || root.querySelector(pictures) !== null;
  };
  /** Tells whether an `object` or `embed` shows a picture, which a text alternative describes. */
  const isPicture = (element: Element, inner: Document | null): boolean => {
    const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
    const address = (attribute(element, 'data') ?? attribute(element, 'src') ?? '').trim().toLowerCase();
    if (inner) return inner.documentElement?.localName === 'svg' || inner.contentType.startsWith('image/');
    if (address === '') return true;
    if (address.startsWith('data:')) return address.startsWith('data:image/');
    return type === '' ? !/\.(?:x?html?|pdf|txt|xml)(?:[?#]|$)/.test(address) : type.startsWith('image/');
  };
  const hasUnreadFrame = (element: Element): boolean => {
    const inner = documentIn(element);
    if (matches(element, 'object, embed')) return !isPicture(element, inner);
    if (inner) return hasContent(inner);
    const address = (attribute(element, 'src') ?? '').trim();
    return (address !== '' && address !== 'about:blank') || attribute(element, 'srcdoc') !== null;
  };

  const found: Unread[] = [];
  for (const element of selectDeep('iframe, frame, fencedframe, object, embed')) {
    if (matches(element, '[role=presentation], [role=none]') || !hasUnreadFrame(element)) continue;
    const remedy = 'put the content into the document, or add aria-hidden="true" if it is only decoration';
    found.push({ element, message: `${frame}; ${remedy}` });
  }
  for (const element of selectDeep('select, input, textarea, meter, progress')) {
    const isFile = matches(element, 'input[type=file i]');
    if (!isFile && (isDescribed(element) || !readField(element))) continue;
    const fieldText = 'a screen reader does not read the text of the form field';
    const remedy = isFile ? 'replace it with text' : 'do not change it while the document is printed';
    found.push({ element, message: `${fieldText}; ${remedy}` });
  }
  for (const element of selectDeep('math')) {
    if (isDescribed(element) || matches(element, '[role=presentation], [role=none]')) continue;
    if (readFormula(element).trim() === '') continue;
    const remedy = 'do not change it while the document is printed';
    found.push({ element, message: `a screen reader does not read the formula; ${remedy}` });
  }
  return found;
}
