/**
 * How a document is printed: `plain` on a browser page that all accounts share, `active` in a browser context
 * of its account.
 */
export type DocumentClass = 'plain' | 'active';

/** A document's class, and the HTML to print. */
export interface ClassifiedDocument {
  documentClass: DocumentClass;
  html: string;
  /** True for a document that is active because it is too large to be classified. */
  isTooLarge?: boolean;
  /** True for a plain document without images, fonts and other assets. Its page has nothing to wait for. */
  hasNoAssets?: boolean;
}

/**
 * The maximum length of a document that is classified, in characters. Longer documents would block the event
 * loop.
 */
export const MAX_CLASSIFIED_CHARACTERS = 400_000;

/**
 * The maximum number of elements and attributes together. Each takes some microseconds, so more would block
 * the event loop.
 */
export const MAX_CLASSIFIED_PARTS = 20_000;

/**
 * Markup that can affect the *next* document on the browser page. It is searched in the raw text, in addition
 * to the elements below, so that differences between this parser and Chromium's cannot hide it.
 */
const LEAVES_STATE_BEHIND =
  /<base|http-equiv(?!\s*=\s*["']?content-type["'\s])|<script|<template|<(?:i?frame|object|embed|portal|fencedframe)/i;

/**
 * Styles that render differently on a plain page, which has no scripting and a low viewport:
 * `@media (scripting)`, scroll-driven animations, anchors with fallbacks. A false positive only costs time.
 */
const DEPENDS_ON_PAGE = /scripting|animation-timeline|position-(?:try|area|anchor)/i;

/** Backgrounds with the attachment `fixed`, possibly escaped, also render differently. */
const BACKGROUND = /background[^;{}]*/gi;
const FIXED = /\bfixed|\\/i;

/** Styles with a remote URL, which a plain page cannot load. It can load assets. */
const LOADS_BY_STYLES = /url\(\s*(?:["']\s*)?(?:https?:)?\/\/(?!assets\.platen\.invalid\/)|@import/i;

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

/**
 * Attributes that affect the next document on the browser page (measured on Chromium 156,
 * `tests/documents/active`).
 */
const STATEFUL_ATTRIBUTES = new Set([
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

/**
 * Markup whose resources load only when a document is displayed. Documents that contain it are displayed as
 * usual.
 */
const LOADS = /<(?:img|image|feimage|input|source)|url\(|@import|@font-face|image-set|src\(|\\/i;

/**
 * Prevents the layout and painting of the document on the screen, which take about a quarter of the time of a
 * page. It does not affect printing. Not for documents that load assets other than fonts of the account,
 * because hidden assets are not loaded.
 */
const HIDDEN_ON_SCREEN = '<style media="screen">html{display:none!important}</style>';

/** Thrown to stop classifying a document that is too large. */
class TooLarge extends Error {}

/**
 * Classifies a document with an allow-list of elements and attributes that neither execute code nor load
 * resources. Styles are only searched for remote URLs: a plain page has no network, and a document that
 * requests a resource there is printed as active instead. Makes lazy images eager, because they would never
 * scroll into view. A document that is too large is active.
 *
 * @param accountFonts the font faces of the account in the document. They do not keep the document visible on
 * the screen: the page loads the fonts that it uses while printing it, and then prints it again.
 */
export function classify(html: string, accountFonts = ''): ClassifiedDocument {
  if (html.length > MAX_CLASSIFIED_CHARACTERS) return { documentClass: 'active', html, isTooLarge: true };
  try {
    return classifyMarkup(html, accountFonts);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { documentClass: 'active', html, isTooLarge: true };
  }
}

function classifyMarkup(html: string, accountFonts: string): ClassifiedDocument {
  let inert =
    ![LEAVES_STATE_BEHIND, DEPENDS_ON_PAGE, LOADS_BY_STYLES].some((found) => found.test(html)) &&
    !hasFixedBackground(html);
  let changed = false;
  let parts = 0;
  const count = () => {
    parts += 1;
    if (parts > MAX_CLASSIFIED_PARTS) throw new TooLarge();
  };
  const hide = inert && !LOADS.test(accountFonts ? html.replace(accountFonts, '') : html);
  const hasNoAssets = hide && accountFonts === '';
  const walked = new HTMLRewriter()
    .on('head', {
      element(head) {
        if (!hide) return;
        head.prepend(HIDDEN_ON_SCREEN, { html: true });
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
  return { documentClass: inert ? 'plain' : 'active', html: changed ? walked : html, hasNoAssets };
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
    if (key.startsWith('on') || key === 'autofocus' || STATEFUL_ATTRIBUTES.has(`${name} ${key}`))
      return false;
    if (URL_ATTRIBUTES.has(key) && !isLocal(value)) return false;
    if (key.endsWith('href') && !isInertHref(name, value)) return false;
    if (key === 'name') metaName = value.toLowerCase();
    // LEAVES_STATE_BEHIND has excluded every `http-equiv` except the content type.
    if (key === 'charset' || key === 'http-equiv') declaresCharset = true;
  }
  return name !== 'meta' || declaresCharset || (metaName !== undefined && INERT_META_NAMES.has(metaName));
}

/**
 * Returns true for data: URIs, assets and fragments. For a `srcset`, only the start is checked; a plain page
 * blocks all requests anyway.
 */
function isLocal(url: string): boolean {
  return /^\s*(data:|https:\/\/assets\.platen\.invalid\/|#|$)/i.test(url);
}

/**
 * Printing does not follow links. Other elements with `href` (`use`, `image`, gradients) load the resource.
 */
function isInertHref(element: string, href: string): boolean {
  return element === 'a' || element === 'area' ? !/^[\s\0-\x20]*javascript:/i.test(href) : isLocal(href);
}
