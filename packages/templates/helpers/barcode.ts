import { createRequire } from 'node:module';
import { describe, HelperFault } from './definition.ts';
import { wholeDots } from './dots.ts';
import { PX_PER_MM, pixels, svg, type Length } from './svg.ts';

interface Symbology {
  /** The name of the encoder in BWIPP. */
  encoder: string;
  /** Whether the code consists of bars, whose height can be chosen, with text below. */
  linear: boolean;
  /** The width of a module in units of the drawing. */
  unitsPerModule: number;
}

const linear = (encoder: string): Symbology => ({ encoder, linear: true, unitsPerModule: 1 });
const matrix = (encoder: string, unitsPerModule: number): Symbology => ({
  encoder,
  linear: false,
  unitsPerModule,
});

/** The supported symbologies other than QR codes. */
export const SYMBOLOGIES = {
  code128: linear('code128'),
  ean13: linear('ean13'),
  ean8: linear('ean8'),
  upca: linear('upca'),
  code39: linear('code39'),
  itf14: linear('itf14'),
  'gs1-128': linear('gs1-128'),
  interleaved2of5: linear('interleaved2of5'),
  codabar: linear('rationalizedCodabar'),
  datamatrix: matrix('datamatrix', 2),
  pdf417: matrix('pdf417', 1),
} as const satisfies Record<string, Symbology>;

/** The name of a symbology in templates. */
export type SymbologyName = keyof typeof SYMBOLOGIES;

/** The appearance of a barcode. */
interface BarcodeStyle {
  width: Length | undefined;
  height: Length | undefined;
  /** The resolution of the printer for which each module is a whole number of dots. */
  dpi: number | undefined;
  showText: boolean;
  /** `#rrggbb`. */
  color: string;
}

interface Drawing {
  content: string;
  width: number;
  height: number;
}

/** The default width of a module in CSS pixels: 0.33 mm, the nominal width of GS1. */
const PX_PER_MODULE = 1.25;
const DEFAULT_HEIGHT = { px: 15 * PX_PER_MM, text: '15mm' };
/** The unit of a drawing is the width of a module, which BWIPP draws as 1/72 inch. */
const MM_PER_MODULE = 25.4 / 72;
/** The minimum height of bars, in modules. */
const MIN_BAR_MODULES = 4;
/** The height of the bars of a drawing that is only measured, in modules. */
const PROBE_BAR_MODULES = 40;
/** The size of the text below the bars in modules: the default of BWIPP. */
const TEXT_MODULES = 10;
/** The fraction of the height of a drawing that the text may take. */
const MAX_TEXT_SHARE = 0.25;
const MAX_LINEAR_CHARACTERS = 100;
const MAX_MATRIX_CHARACTERS = 3_200;

/**
 * Draws a barcode as SVG. By default a module is 0.33 mm wide.
 * @throws {HelperFault} if the symbology cannot encode the text.
 */
export function drawBarcode(text: string, name: SymbologyName, style: BarcodeStyle): string {
  const symbology: Symbology = SYMBOLOGIES[name];
  const limit = symbology.linear ? MAX_LINEAR_CHARACTERS : MAX_MATRIX_CHARACTERS;
  if (text.length > limit) cannotEncode(text, name, `at most ${limit} characters`);
  if (!text.isWellFormed()) cannotEncode(text, name, 'unpaired surrogate');
  // Linear codes do not declare a character set.
  // oxlint-disable-next-line eslint/no-control-regex -- control characters are valid in Code 128
  if (symbology.linear && !/^[\x00-\x7f]*$/.test(text)) cannotEncode(text, name, 'ASCII characters only');
  try {
    return symbology.linear ? drawLinear(text, symbology, style) : drawMatrix(text, symbology, style);
  } catch (error) {
    const [, reason] = /^bwipp\.[^:]*: (.*)$/s.exec(error instanceof Error ? error.message : '') ?? [];
    if (reason !== undefined) cannotEncode(text, name, reason);
    throw error;
  }
}

function cannotEncode(text: string, name: string, reason: string): never {
  throw new HelperFault(`cannot write ${describe(text)} as ${name}: ${reason}`);
}

function drawLinear(text: string, { encoder }: Symbology, style: BarcodeStyle): string {
  const { dpi, showText, color } = style;
  const drawWith = (barModules: number, textModules = TEXT_MODULES) =>
    draw(encoder, text, {
      color,
      options: {
        height: barModules * MM_PER_MODULE,
        includetext: showText,
        ...(textModules < TEXT_MODULES && { textsize: textModules }),
      },
    });
  // The width of the code, and the height of text and bearer bars, are only known after drawing.
  let probe = drawWith(PROBE_BAR_MODULES);
  const widthOf = (modules: number) =>
    dpi === undefined
      ? (style.width ?? pixels(modules * PX_PER_MODULE))
      : wholeDots(modules, { dpi, maxPx: style.width?.px, modulePx: PX_PER_MODULE });
  const width = widthOf(probe.width);
  const height = style.height ?? DEFAULT_HEIGHT;
  const ratio = height.px / width.px;
  // A short code in a wide, low box leaves little space for text.
  const textModules = Math.min(TEXT_MODULES, probe.width * ratio * MAX_TEXT_SHARE);
  if (showText && textModules < TEXT_MODULES) probe = drawWith(PROBE_BAR_MODULES, textModules);
  const barModules = probe.width * ratio - (probe.height - PROBE_BAR_MODULES);
  if (barModules < MIN_BAR_MODULES)
    throw new HelperFault(`takes a height= with space for bars, not ${height.text}`);
  const drawing = drawWith(barModules, textModules);
  return svg(drawing.content, {
    // The text can make the drawing wider or narrower than the first one.
    width: dpi === undefined ? width : widthOf(drawing.width),
    height,
    viewBox: [drawing.width, drawing.height],
    // The height of a drawing is rounded, which must not change the width of the modules.
    isExact: dpi !== undefined,
  });
}

function drawMatrix(text: string, { encoder, unitsPerModule }: Symbology, style: BarcodeStyle): string {
  const { width, height, dpi, color } = style;
  const drawing = draw(encoder, text, { color, options: {} });
  const ratio = drawing.height / drawing.width;
  if (dpi !== undefined) {
    const limitsPx = [width?.px, height && height.px / ratio].filter((px) => px !== undefined);
    const chosen = wholeDots(drawing.width / unitsPerModule, {
      dpi,
      maxPx: limitsPx.length > 0 ? Math.min(...limitsPx) : undefined,
      modulePx: PX_PER_MODULE * unitsPerModule,
    });
    return svg(drawing.content, {
      width: chosen,
      height: pixels(chosen.px * ratio),
      viewBox: [drawing.width, drawing.height],
      isExact: true,
    });
  }
  const chosenWidth = width ?? pixels(height ? height.px / ratio : drawing.width * PX_PER_MODULE);
  return svg(drawing.content, {
    width: chosenWidth,
    height: height ?? pixels(chosenWidth.px * ratio),
    viewBox: [drawing.width, drawing.height],
  });
}

const DRAWING = /^<svg viewBox="0 0 ([\d.]+) ([\d.]+)" xmlns="[^"]*">\n(.*)<\/svg>\n?$/s;

/** Draws a code with BWIPP. The size is in modules. */
function draw(
  encoder: string,
  text: string,
  { color, options }: { color: string; options: Record<string, unknown> },
): Drawing {
  const hex = color.slice(1);
  const drawn = loadLibrary().toSVG({
    bcid: encoder,
    text,
    scale: 1,
    barcolor: hex,
    textcolor: hex,
    bordercolor: hex,
    ...options,
  });
  const [, width, height, content = ''] = DRAWING.exec(drawn) ?? [];
  if (width === undefined) throw new Error(`unexpected output of bwip-js: ${drawn.slice(0, 80)}`);
  return { content: content.replaceAll('\n', ''), width: Number(width), height: Number(height) };
}

type Library = typeof import('bwip-js/generic');
let loaded: Library | undefined;

// Loads bwip-js on first use, because it takes a third of a second and 15 MB, and most templates have no
// barcode.
function loadLibrary(): Library {
  // This build, which needs neither a canvas nor a file system, is an ES module. Bun can require it by path.
  loaded ??= createRequire(import.meta.url)(Bun.resolveSync('bwip-js/generic', import.meta.dir)) as Library;
  return loaded;
}
