import type { PageReaders } from './describe-elements.ts';
import type { Habit } from './find-habits.ts';
import type { Unread } from './find-unread.ts';

/** A fault of the document that only its author can correct, or a warning. */
export interface PageFinding {
  /** The CSS path of the element. */
  path: string;
  code: FindingCode;
  severity: 'error' | 'warning';
  message: string;
}

export type FindingCode =
  | 'TITLE_MISSING'
  | 'LANGUAGE_MISSING'
  | 'ALT_MISSING'
  | 'HEADING_ORDER'
  | 'LINK_EMPTY'
  | 'LABEL_MISSING'
  | 'DRAWN_AS_PICTURE'
  | 'CONTENT_UNREAD'
  | Habit['code']
  | 'LOW_CONTRAST';

/** The result of {@link checkDocument}. */
export interface PageAccessibility {
  title: string;
  /** The language tag of the document; empty if it has none. */
  language: string;
  findings: PageFinding[];
  /** The number of further findings. */
  omitted: number;
  /** The links of the document, in its order. */
  links: { href: string; text: string }[];
}

export interface CheckSettings {
  maxFindings: number;
  maxLinks: number;
  /** The maximum number of elements whose contrast is checked. */
  maxColours: number;
  /** Whether the request has a title for the PDF. */
  hasTitle: boolean;
  /** Whether the request has a language for the PDF. */
  hasLanguage: boolean;
  /** The start of a link that marks a signature field; its number, name and label follow. */
  fieldLink: string;
}

/** The functions and constants that {@link checkDocument} needs in the browser page. */
export interface PageFinders extends PageReaders {
  findUnread: (parts: PageReaders) => Unread[];
  findHabits: (selectDeep: PageReaders['selectDeep'], isShown: (element: Element) => boolean) => Habit[];
}

/** The properties that the request supplies, so that the HTML need not contain them. */
export type AccessibleSetup = Pick<CheckSettings, 'hasTitle' | 'hasLanguage'>;

/**
 * Finds the accessibility faults that only the author of the document can correct (ISO 14289-1, WCAG 2.2),
 * and lists the links of the document.
 *
 * The function runs in the browser page, with the CSS media type of the print. It is self-contained, because
 * only its source text is sent to the page, and it calls methods through prototypes, because
 * `<form name=querySelectorAll>` replaces the method of `document`.
 */
export function checkDocument(settings: CheckSettings, parts: PageFinders): PageAccessibility {
  const select = Document.prototype.querySelectorAll.bind(document);
  const byId = Document.prototype.getElementById.bind(document);
  /** Reads a property through its prototype. */
  const readProperty = (prototype: object, property: string, of: object): unknown =>
    Reflect.get(prototype, property, of);
  const localName = (element: Element) => String(readProperty(Element.prototype, 'localName', element));
  const namespaceOf = (element: Element) => readProperty(Element.prototype, 'namespaceURI', element);
  const idOf = (element: Element) => String(readProperty(Element.prototype, 'id', element));
  const textOf = (node: Node): string => {
    const text = readProperty(Node.prototype, 'textContent', node);
    return typeof text === 'string' ? text : '';
  };
  const toElement = (value: unknown) => (value instanceof Element ? value : null);
  const parentOf = (node: Node) => toElement(readProperty(Node.prototype, 'parentElement', node));
  const previousOf = (element: Element) =>
    toElement(readProperty(Element.prototype, 'previousElementSibling', element));
  const nextOf = (element: Element) =>
    toElement(readProperty(Element.prototype, 'nextElementSibling', element));
  const attribute = (element: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(element, name);
  const matches = (element: Element, selector: string): boolean =>
    Element.prototype.matches.call(element, selector);
  const inner = (element: Element, selector: string): Element[] => [
    ...Element.prototype.querySelectorAll.call(element, selector),
  ];
  const trimmed = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  /** Returns the element whose shadow tree contains an element. */
  const hostOf = (element: Element): Element | null => {
    const tree = Node.prototype.getRootNode.call(element);
    return tree instanceof ShadowRoot ? toElement(Reflect.get(ShadowRoot.prototype, 'host', tree)) : null;
  };
  const isShown = (element: Element): boolean => {
    if (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true })) return false;
    for (let at: Element | null = element; at; at = hostOf(at))
      if (Element.prototype.closest.call(at, '[aria-hidden="true"]') !== null) return false;
    return true;
  };
  const starts = Object.values(parts.described);
  /** Returns the description that the preparation gave to a form field or formula. */
  const describedAs = (element: Element): string | undefined => {
    const label = attribute(element, 'aria-label') ?? '';
    const start = starts.find((each) => label.startsWith(each));
    return start && label.slice(start.length);
  };

  const findings: PageFinding[] = [];
  let omitted = 0;
  const add = (element: Element | string, finding: Omit<PageFinding, 'path'>): void => {
    if (findings.length >= settings.maxFindings) omitted += 1;
    else findings.push({ path: typeof element === 'string' ? element : pathOf(element), ...finding });
  };

  /** Returns a selector that matches the element alone. `>>>` enters a shadow tree. */
  const pathOf = (element: Element): string => {
    const host = hostOf(element);
    const start = host ? `${pathOf(host)} >>> ` : '';
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const id = idOf(at);
      const name = localName(at).slice(0, 100);
      if (id !== '' && id.length <= 100 && select(`#${CSS.escape(id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(id)}`);
        break;
      }
      let position = 1;
      for (let other = previousOf(at); other; other = previousOf(other))
        if (localName(other) === name) position += 1;
      let isOnly = position === 1;
      for (let other = nextOf(at); other && isOnly; other = nextOf(other)) isOnly = localName(other) !== name;
      steps.unshift(CSS.escape(name) + (isOnly ? '' : `:nth-of-type(${position})`));
      if (steps.length > 60) break;
    }
    return start + steps.join(' > ');
  };

  const referenceOf = (id: string): string => {
    const element = byId(id);
    return element ? trimmed(textOf(element)) : '';
  };
  const labelOf = (element: Element): string => {
    const referenced = (attribute(element, 'aria-labelledby') ?? '')
      .split(/\s+/)
      .slice(0, 20)
      .map((id) => (id === '' ? '' : referenceOf(id)));
    const own = attribute(element, describedAs(element) === undefined ? 'aria-label' : 'data-platen-label');
    return trimmed(referenced.join(' ')) || trimmed(own);
  };
  const svgTitle = (element: Element): string => {
    for (const child of inner(element, ':scope > title')) return trimmed(textOf(child));
    return '';
  };
  /**
   * Returns the text alternative of a picture: empty for decoration, `undefined` when the author gave none.
   */
  const nameOfPicture = (element: Element): string | undefined => {
    const description = describedAs(element);
    if (description !== undefined) return description;
    const label = labelOf(element);
    if (label !== '') return label;
    const name = localName(element);
    const alternative = name === 'img' || name === 'input' ? attribute(element, 'alt') : null;
    if (alternative !== null) return trimmed(alternative);
    if (matches(element, '[role=presentation], [role=none]')) return '';
    const title = trimmed(attribute(element, 'title')) || (name === 'svg' ? svgTitle(element) : '');
    if (title !== '') return title;
    return (name === 'canvas' && trimmed(textOf(element))) || undefined;
  };

  const [root] = select('html');
  const [body] = select('body');
  const title = trimmed(String(readProperty(Document.prototype, 'title', document))).slice(0, 2_000);
  if (title === '' && !settings.hasTitle)
    add('head > title', {
      code: 'TITLE_MISSING',
      severity: 'error',
      message: 'the document has no title; add <title> or set options.properties.title',
    });
  const declared = trimmed(root && attribute(root, 'lang')) || trimmed(body && attribute(body, 'lang'));
  const language = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,20}$/.test(declared) ? declared : '';
  if (language === '' && !settings.hasLanguage)
    add('html', {
      code: 'LANGUAGE_MISSING',
      severity: 'error',
      message: `${declared === '' ? 'the document has no language' : 'the language of the document is not a language tag'}; add <html lang="en"> or set options.properties.language`,
    });

  const unread = parts.findUnread(parts).filter(({ element }) => isShown(element));
  for (const { element, message } of unread)
    add(element, { code: 'CONTENT_UNREAD', severity: 'error', message });
  const isUnread = new Set(unread.map(({ element }) => element));

  for (const element of parts.selectDeep(
    'img, svg, canvas, video, audio[controls], object, embed, input[type=image], [role=img], [role=image]',
  )) {
    const parent = parentOf(element);
    const isPart = localName(element) === 'svg' && parent && namespaceOf(parent) === namespaceOf(element);
    const around = parent && Element.prototype.closest.call(parent, '[role=img], [role=image]');
    if (
      isPart ||
      around ||
      isUnread.has(element) ||
      !isShown(element) ||
      nameOfPicture(element) !== undefined
    )
      continue;
    const name = localName(element);
    const remedy =
      name === 'img' || name === 'input'
        ? 'add alt, or alt="" if it is only decoration'
        : 'add role="img" and aria-label, or aria-hidden="true" if it is only decoration';
    add(element, {
      code: 'ALT_MISSING',
      severity: 'error',
      message: `the picture has no text alternative; ${remedy}`,
    });
  }

  let previousLevel = 0;
  for (const element of select('h1, h2, h3, h4, h5, h6, [role=heading]')) {
    const role = attribute(element, 'role');
    if ((role !== null && role !== 'heading') || !isShown(element)) continue;
    if (trimmed(textOf(element)) === '' && inner(element, 'img, svg').length === 0) continue;
    const levelOfName = /^h([1-6])$/.exec(localName(element))?.[1];
    const level = Number(attribute(element, 'aria-level') ?? levelOfName ?? 2);
    if (level > previousLevel + 1)
      add(element, {
        code: 'HEADING_ORDER',
        severity: 'error',
        message:
          previousLevel === 0
            ? `the first heading has level ${level}; begin with h1`
            : `a heading of level ${level} follows one of level ${previousLevel}; use h${previousLevel + 1}`,
      });
    previousLevel = level;
  }

  /**
   * Returns the text of an element, with a space between texts that are drawn apart, such as title and page
   * number in a table of contents.
   */
  const drawnText = (element: Element): string => {
    const texts = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_TEXT);
    const range = Document.prototype.createRange.call(document);
    let drawn = '';
    let end: DOMRect | undefined;
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      Range.prototype.selectNodeContents.call(range, node);
      const boxes = [...Range.prototype.getClientRects.call(range)];
      const [first] = boxes;
      if (first && end) {
        const gap = Math.max(first.left - end.right, end.left - first.right);
        const isOnOtherLine = first.top >= end.bottom || end.top >= first.bottom;
        if (isOnOtherLine || gap > 0.15 * end.height) drawn += ' ';
      }
      drawn += textOf(node);
      end = boxes.at(-1) ?? end;
    }
    return drawn;
  };

  const [here = ''] = String(readProperty(Document.prototype, 'URL', document)).split('#');
  const links: PageAccessibility['links'] = [];
  for (const element of select('a[href]')) {
    if (!(element instanceof HTMLAnchorElement) || !isShown(element)) continue;
    const href = String(readProperty(HTMLAnchorElement.prototype, 'href', element));
    if (href.startsWith(settings.fieldLink)) {
      const [, name = '', label = ''] = href.slice(settings.fieldLink.length).split('/');
      if (label === '')
        add(`input[name="${CSS.escape(decodeURIComponent(name))}"]`, {
          code: 'LABEL_MISSING',
          severity: 'error',
          message: 'the signature field has no label; add a <label> or an aria-label',
        });
      continue;
    }
    const pictures = inner(element, 'img, svg, [role=img], canvas')
      .filter((picture) => describedAs(picture) === undefined)
      .map((picture) => nameOfPicture(picture));
    const text =
      labelOf(element) ||
      trimmed(`${drawnText(element)} ${pictures.join(' ')}`) ||
      trimmed(attribute(element, 'title'));
    if (text === '')
      add(element, {
        code: 'LINK_EMPTY',
        severity: 'error',
        message: 'the link has no text; add text, or an aria-label that says where it leads',
      });
    if (links.length >= settings.maxLinks) continue;
    const target = href.startsWith(`${here}#`) ? href.slice(here.length) : href;
    links.push({ href: target.slice(0, 500), text: text.slice(0, 300) });
  }

  for (const element of select('input, select, textarea')) {
    const type = attribute(element, 'type')?.toLowerCase() ?? '';
    if (/^(?:hidden|submit|reset|button|image)$/.test(type) || !isShown(element)) continue;
    const labels: unknown = Reflect.get(element, 'labels');
    const texts = labels instanceof NodeList ? [...labels].map((label) => trimmed(textOf(label))) : [];
    const hint = trimmed(attribute(element, 'title')) || trimmed(attribute(element, 'placeholder'));
    if (labelOf(element) || texts.join('') || hint) continue;
    add(element, {
      code: 'LABEL_MISSING',
      severity: 'warning',
      message: 'the form field has no label; add a <label> or an aria-label',
    });
  }

  for (const { element, code, message } of parts.findHabits(parts.selectDeep, isShown))
    add(element, { code, severity: 'warning', message });

  // Chromium draws elements with a filter or a reflection as pictures without tags.
  let rasterised: Element | undefined;
  for (const element of select('body *')) {
    const style = getComputedStyle(element);
    const isRasterised = style.filter !== 'none' || style.getPropertyValue('-webkit-box-reflect') !== 'none';
    if (!isRasterised || (rasterised && Node.prototype.contains.call(rasterised, element))) continue;
    const pictures = [element, ...inner(element, 'img, svg, [role=img], canvas')].map(nameOfPicture);
    if (!isShown(element) || trimmed(`${textOf(element)} ${pictures.join(' ')}`) === '') continue;
    rasterised = element;
    add(element, {
      code: 'DRAWN_AS_PICTURE',
      severity: 'error',
      message:
        'the browser draws the element without its text, because it has a CSS filter or reflection; remove it',
    });
  }

  /** Returns red, green, blue and alpha; `undefined` for other colour spaces. */
  const parseColour = (css: string): [number, number, number, number] | undefined => {
    const [, red, green, blue, alpha = '1'] =
      /^rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([\d.]{1,12}))?\)$/.exec(css) ?? [];
    return red === undefined ? undefined : [Number(red), Number(green), Number(blue), Number(alpha)];
  };
  const luminance = (colour: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  /**
   * Returns the colour behind an element; `undefined` when it cannot be determined, such as over a picture.
   */
  const backgroundOf = (element: Element): readonly number[] | undefined => {
    const layers: (readonly [number, number, number, number])[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      const colour = parseColour(style.backgroundColor);
      const isPlain = style.backgroundImage === 'none' && style.filter === 'none' && style.opacity === '1';
      if (!colour || !isPlain || style.mixBlendMode !== 'normal') return undefined;
      layers.push(colour);
      if (colour[3] === 1) break;
      // What is behind a positioned element is not always its parent.
      if (style.position === 'absolute' || style.position === 'fixed') return undefined;
    }
    let behind: readonly number[] = [255, 255, 255];
    for (const [red, green, blue, alpha] of layers.toReversed())
      behind = [red, green, blue].map((value, index) => value * alpha + (behind[index] ?? 0) * (1 - alpha));
    return behind;
  };
  const checked = new Set<Element>();
  const walker = Document.prototype.createTreeWalker.call(document, body ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && checked.size < settings.maxColours; node = walker.nextNode()) {
    const element = parentOf(node);
    if (!element || checked.has(element) || textOf(node).trim() === '') continue;
    checked.add(element);
    if (!(element instanceof HTMLElement) || !isShown(element)) continue;
    const style = getComputedStyle(element);
    const colour = parseColour(style.color);
    const behind = colour && backgroundOf(element);
    if (!behind) continue;
    const [, , , alpha] = colour;
    const shown = colour
      .slice(0, 3)
      .map((value, index) => value * alpha + (behind[index] ?? 0) * (1 - alpha));
    const [light = 0, dark = 0] = [luminance(shown), luminance(behind)].toSorted((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    // WCAG 2.2, 1.4.3: large text has at least 18 points, or 14 points if it is bold.
    const isLarge =
      Number.parseFloat(style.fontSize) >= 24 ||
      (Number.parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    const minRatio = isLarge ? 3 : 4.5;
    if (ratio >= minRatio) continue;
    add(element, {
      code: 'LOW_CONTRAST',
      severity: 'warning',
      message: `the text has a contrast of ${Math.floor(ratio * 100) / 100}:1; use at least ${minRatio}:1`,
    });
  }
  return { title, language, findings, omitted, links };
}
