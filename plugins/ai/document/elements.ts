const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** HTML elements that are allowed in the body. None of them runs, loads or sends anything. */
export const HTML_ELEMENTS = names(
  `a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure
   footer font h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label li main mark meter nav ol p pre progress q rp rt ruby s samp section
   small span strike strong style sub sup table tbody td tfoot th thead time tr tt u ul var wbr`,
);

/** Elements that every document has exactly once, outside all blocks. */
export const FRAME = names('html head body');

/** Elements that are allowed in the head. */
export const HEAD_ELEMENTS = names('title meta style');

/**
 * SVG elements that are allowed, in lower case as the tokenizer reports them. None contains HTML, refers to
 * other files or is animated.
 */
export const SVG_ELEMENTS = names(
  `svg g defs path rect circle ellipse line polyline polygon text tspan lineargradient radialgradient stop clippath mask pattern marker`,
);

/** Attributes that are allowed on every HTML element, in addition to `aria-…` and `data-…`. */
export const HTML_ATTRIBUTES = names(
  `id class style lang dir title role width height align valign bgcolor color face size border cellpadding cellspacing colspan rowspan
   scope headers span start type value reversed datetime alt abbr max min low high optimum hidden nowrap xmlns`,
);

/** Attributes that are allowed on SVG elements, in lower case. */
export const SVG_ATTRIBUTES = names(
  `id class style lang role xmlns xmlns:xlink version viewbox preserveaspectratio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d
   points offset transform gradienttransform gradientunits spreadmethod patternunits patterncontentunits patterntransform clippathunits
   maskunits maskcontentunits markerunits markerwidth markerheight refx refy orient pathlength textlength lengthadjust rotate
   fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray
   stroke-dashoffset opacity color stop-color stop-opacity clip-path clip-rule mask marker-start marker-mid marker-end
   font-family font-size font-style font-weight font-variant letter-spacing word-spacing text-anchor text-decoration dominant-baseline
   alignment-baseline baseline-shift shape-rendering text-rendering vector-effect visibility display overflow xml:space`,
);

/** Names that are allowed for `<meta name>`. */
export const META_NAMES = names('viewport description author keywords generator date');
