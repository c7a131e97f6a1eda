/** How a document is printed: `plain` on a page that others have used before it, `active` in a context of its own account. */
export type DocumentClass = 'plain' | 'active';

/** A document's class, and its HTML as it is to be printed. */
export interface ClassifiedDocument {
  documentClass: DocumentClass;
  html: string;
  /** True for a document that is active because it is too large to be read. */
  isTooLarge?: boolean;
}

/** The longest document that is read; reading a longer one would hold up the event loop. */
export const MAX_CLASSIFIED_CHARACTERS = 400_000;

/** How many elements and attributes together are read; more would hold up the event loop, as each costs some microseconds. */
export const MAX_CLASSIFIED_PARTS = 20_000;

/**
 * What would change how the *next* document on the page behaves. Searched in the raw text besides the element walk below,
 * so that no difference between this parser and Chromium's can let one through.
 */
const LEAVES_STATE_BEHIND =
  /<base|http-equiv(?!\s*=\s*["']?content-type["'\s])|<script|<template|<(?:i?frame|object|embed|portal|fencedframe)/i;

/**
 * What looks different on a plain page, which has no scripting and a low viewport: `@media (scripting)`, scroll-driven animations,
 * anchors with fallbacks. A false alarm costs only time.
 */
const SEES_THE_PAGE = /scripting|animation-timeline|position-(?:try|area|anchor)/i;

/** So do backgrounds whose attachment is `fixed`, perhaps escaped. */
const BACKGROUND = /background[^;{}]*/gi;
const FIXED = /\bfixed|\\/i;

/** Styles that name an address: a plain page would only find out that it cannot load it. */
const LOADS_BY_STYLES = /url\(\s*(?:["']\s*)?(?:https?:)?\/\/|@import/i;

const INERT_ELEMENTS = new Set(
  `html head title style meta body
   a abbr acronym address area article aside b bdi bdo blockquote br button caption center cite code col colgroup data datalist dd del details dfn dialog
   div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li
   main map mark menu meter nav ol optgroup option output p picture plaintext pre progress q rp rt ruby s samp search section select small
   source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr tt u ul var wbr big nobr dir
   svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textpath lineargradient radialgradient stop
   pattern clippath mask marker image filter feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix
   fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur
   feimage femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence
   desc metadata switch view foreignobject
   math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover
   munderover mmultiscripts mprescripts none mtable mtr mtd maction semantics annotation`.split(/\s+/),
);

const INERT_META_NAMES = new Set([
  'viewport',
  'description',
  'author',
  'keywords',
  'generator',
  'creator',
  'subject',
  'date',
]);

/** Attributes whose effect reaches the next document on the page (measured on Chromium 156, `tests/documents/active`). */
const OUTLIVES = new Set([
  'body link',
  'body vlink',
  'body alink',
  'style title',
  'source media',
  'img sizes',
  'source sizes',
]);

const URL_ATTRIBUTES = new Set([
  'src',
  'srcset',
  'background',
  'poster',
  'data',
  'action',
  'formaction',
  'ping',
  'manifest',
]);

/** What loads while a document is shown and not when it is printed, in any spelling; documents with it are laid out as usual. */
const LOADS = /<(?:img|image|feimage|input|source)|url\(|@import|@font-face|image-set|src\(|\\/i;

/**
 * Keeps a page from laying out and painting for a screen that nobody looks at; it is not there when printing. About a quarter of the
 * work of a page. Not for documents that load something: what is not shown is not loaded.
 */
const NOTHING_ON_SCREEN = '<style media="screen">html{display:none!important}</style>';

/** Ends the reading of a document that is too large. */
class TooLarge extends Error {}

/**
 * Classes a document by an allow-list of elements and attributes that neither run anything nor fetch anything.
 * Styles are only searched for addresses: a plain page has no network, and a document that asks for it there is printed as active instead.
 * Lazy images are made eager, as they would never scroll into view. A document that is too large is active without a look.
 */
export function classify(html: string): ClassifiedDocument {
  if (html.length > MAX_CLASSIFIED_CHARACTERS) return { documentClass: 'active', html, isTooLarge: true };
  try {
    return read(html);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { documentClass: 'active', html, isTooLarge: true };
  }
}

function read(html: string): ClassifiedDocument {
  let inert =
    ![LEAVES_STATE_BEHIND, SEES_THE_PAGE, LOADS_BY_STYLES].some((found) => found.test(html)) &&
    !hasFixedBackground(html);
  let changed = false;
  let parts = 0;
  const count = () => {
    parts += 1;
    if (parts > MAX_CLASSIFIED_PARTS) throw new TooLarge();
  };
  const hide = inert && !LOADS.test(html);
  const walked = new HTMLRewriter()
    .on('head', {
      element(head) {
        if (!hide) return;
        head.prepend(NOTHING_ON_SCREEN, { html: true });
        changed = true;
      },
    })
    .on('*', {
      element(element) {
        count();
        inert &&= isInert(element, count);
        if (element.hasAttribute('loading')) {
          element.removeAttribute('loading');
          changed = true;
        }
      },
    })
    .transform(html);
  if (!inert && hide) return { documentClass: 'active', html };
  return { documentClass: inert ? 'plain' : 'active', html: changed ? walked : html };
}

function hasFixedBackground(html: string): boolean {
  for (const [declaration] of html.matchAll(BACKGROUND)) if (FIXED.test(declaration)) return true;
  return false;
}

function isInert(element: HTMLRewriterTypes.Element, count: () => void): boolean {
  const name = element.tagName.toLowerCase();
  if (!INERT_ELEMENTS.has(name)) return false;
  let metaName: string | undefined;
  let declaresCharset = false;
  for (const [attribute = '', value = ''] of element.attributes) {
    count();
    const key = attribute.toLowerCase();
    if (key.startsWith('on') || key === 'autofocus' || OUTLIVES.has(`${name} ${key}`)) return false;
    if (URL_ATTRIBUTES.has(key) && !isLocal(value)) return false;
    if (key.endsWith('href') && !isInertHref(name, value)) return false;
    if (key === 'name') metaName = value.toLowerCase();
    // Of `http-equiv` only the content type has come this far.
    if (key === 'charset' || key === 'http-equiv') declaresCharset = true;
  }
  return name !== 'meta' || declaresCharset || (metaName !== undefined && INERT_META_NAMES.has(metaName));
}

/** True for what is in the document itself; a `srcset` of several data URIs begins with one and is judged by the network's absence. */
function isLocal(url: string): boolean {
  return /^\s*(data:|#|$)/i.test(url);
}

/** Links are not followed when printing; other elements with `href` (`use`, `image`, gradients) fetch what it names. */
function isInertHref(element: string, href: string): boolean {
  return element === 'a' || element === 'area' ? !/^[\s\0-\x20]*javascript:/i.test(href) : isLocal(href);
}
