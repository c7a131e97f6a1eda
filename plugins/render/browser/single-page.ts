import { paperSize, type Margins, type PrintSetup } from '../print/print-options.ts';
import { countPages } from '../pdf-scan.ts';
import { RenderError } from '../render-error.ts';

const PATH = 'options.singlePage';

/** The maximum height of the page. The same limit applies to `options.format`. */
const MAX_HEIGHT_IN = 200;
const MIN_HEIGHT_IN = 0.5;

/** Chromium rounds the size of the paper by less than this. */
const ROUNDING_IN = 1 / 96;

/**
 * How many times the page may be made taller when the printed content needs more room than the measured
 * content.
 */
const MAX_GROWTHS = 6;

/** The functions with which {@link printSinglePage} measures and prints a document. */
interface SinglePageTools {
  /**
   * Evaluates a script in an isolated world, while the document has the media type in which it is printed.
   */
  measure: (script: string) => Promise<unknown>;
  print: (setup: PrintSetup) => Promise<Buffer>;
}

/**
 * Prints a document on one page that is as tall as its content.
 * @throws {RenderError} NO_ROOM when the content does not fit on one page.
 */
export async function printSinglePage(setup: PrintSetup, tools: SinglePageTools): Promise<Buffer> {
  const keepsBreaks = setup.page?.singlePage === true;
  const size = (await tools.measure(measureContent(setup, { keepsBreaks }))) as ContentSize;
  let first: PrintSetup | undefined;
  for (const fitted of singlePageSetups(setup, size)) {
    first ??= fitted;
    const pdf = await tools.print(fitted);
    if (countPages(pdf) === 1) return pdf;
    if (keepsBreaks && fitted.heightIn > first.heightIn) break;
  }
  if (keepsBreaks && first) return tools.print({ ...first, page: { ...first.page, nativePageRanges: '1' } });
  throw new RenderError(
    'NO_ROOM',
    'the content does not fit on one page: its height depends on the height of the page, for example by the unit vh',
    { path: PATH },
  );
}

/** The size of a document that is laid out for one page. */
interface ContentSize {
  heightPx: number;
  /** The width that the widest line needs. */
  widthPx: number;
  /** The margins in inches. The margins of the document's `@page` rules win over `options.margin`. */
  margins: Margins;
}

/**
 * Returns a script for an isolated world that lays out the document for one page and measures it. The script
 * removes page breaks and the dependence of `html` and `body` on the height of the window, and fixes the
 * margins and the size of the page. It returns a {@link ContentSize}. Text on the screen has the widths of
 * printed text only with `geometricPrecision`.
 */
function measureContent(setup: PrintSetup, { keepsBreaks }: { keepsBreaks: boolean }): string {
  const breaks = keepsBreaks
    ? ''
    : 'break-before: auto !important; break-after: auto !important; page: auto !important;';
  // A page that is as wide as its content.
  const grows = setup.page?.singlePage === true && setup.landscape;
  return `(() => {
    const margins = ${JSON.stringify(setup.marginsIn)};
    const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
    const inches = (length) => {
      try { return CSSNumericValue.parse(length).to('in').value } catch { return NaN }
    };
    const collect = (rules) => {
      for (const rule of rules) {
        if (rule instanceof CSSPageRule) {
          if (rule.selectorText !== '' && rule.selectorText !== ':first') continue;
          for (const side of Object.keys(margins)) {
            const value = inches(rule.style.getPropertyValue('margin-' + side));
            if (value >= 0) margins[side] = value;
          }
        } else if (rule instanceof CSSImportRule) collectSheet(rule.styleSheet);
        else if (!(rule instanceof CSSMediaRule) || matchMedia(rule.conditionText).matches) collect(rule.cssRules ?? []);
      }
    };
    const collectSheet = (sheet) => {
      try {
        if (sheet && !sheet.disabled && matchMedia(sheet.media.mediaText || 'all').matches) collect(sheet.cssRules);
      } catch {
        // The style sheet has another origin.
      }
    };
    for (const sheet of read('styleSheets')) collectSheet(sheet);
    let widthPx = (${paperSize(setup).widthIn} - margins.left - margins.right) * 96 / ${setup.scale};
    const page = 'size: auto !important; margin: ' + ['top', 'right', 'bottom', 'left'].map((side) => margins[side] + 'in').join(' ') + ' !important';
    const styles = new CSSStyleSheet();
    styles.replaceSync(\`
      @page { \${page} }
      *, ::before, ::after { ${breaks} text-rendering: geometricPrecision !important }
      html, body { height: min-content !important; min-height: 0 !important }
      html { width: \${widthPx}px !important; max-width: none !important; box-sizing: border-box !important }\`);
    const widths = new CSSStyleSheet();
    const adopted = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
    adopted.set.call(document, [...adopted.get.call(document), styles, widths]);
    const root = read('documentElement');
    const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
    const get = (name) => Object.getOwnPropertyDescriptor(Element.prototype, name).get.call(root);
    if (${grows} && get('scrollWidth') > widthPx) {
      widthPx = get('scrollWidth');
      widths.replaceSync('html { width: ' + widthPx + 'px !important }');
    }
    const { top, height } = rectOf(root);
    // scrollHeight is at least the height of the window, so it tells the height of the content only when it
    // exceeds that.
    let heightPx = get('scrollHeight') > get('clientHeight') ? Math.max(height, get('scrollHeight')) : height;
    for (const element of Document.prototype.querySelectorAll.call(document, 'body *'))
      if (getComputedStyle(element).position === 'absolute') heightPx = Math.max(heightPx, rectOf(element).bottom - top);
    return { heightPx, widthPx, margins };
  })()`;
}

/**
 * Returns the setups to try in turn until the document fits on one page: the first has the measured height,
 * the others are taller.
 * @throws {RenderError} NO_ROOM when the page would be too tall.
 */
function* singlePageSetups(
  setup: PrintSetup,
  { heightPx, widthPx, margins }: ContentSize,
): Generator<PrintSetup> {
  for (let growth = 0; growth <= MAX_GROWTHS; growth += 1) {
    const morePx = growth === 0 ? 0 : 12 * 2 ** growth;
    const contentIn = ((heightPx + morePx) * setup.scale) / 96;
    const heightIn = Math.max(MIN_HEIGHT_IN, margins.top + contentIn + margins.bottom + ROUNDING_IN);
    if (heightIn > MAX_HEIGHT_IN)
      throw new RenderError(
        'NO_ROOM',
        `the content needs a page that is ${heightIn.toFixed(1)}in high; the limit is ${MAX_HEIGHT_IN}in`,
        { path: PATH },
      );
    const paperIn = paperSize(setup).widthIn;
    const neededIn = (widthPx * setup.scale) / 96 + margins.left + margins.right;
    const widthIn = neededIn > paperIn + ROUNDING_IN ? Math.min(neededIn, MAX_HEIGHT_IN) : paperIn;
    yield { ...setup, widthIn, heightIn, landscape: false, marginsIn: margins };
  }
}
