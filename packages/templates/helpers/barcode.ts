import { createRequire } from 'node:module';
import { describe, HelperFault } from './definition.ts';
import { pixels, svg, type Length } from './svg.ts';

interface Symbology {
  /** The name in BWIPP. */
  encoder: string;
  /** Whether the code consists of bars with variable height and text below. */
  linear: boolean;
}

const linear = (encoder: string): Symbology => ({ encoder, linear: true });
const matrix = (encoder: string): Symbology => ({ encoder, linear: false });

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
  datamatrix: matrix('datamatrix'),
  pdf417: matrix('pdf417'),
} as const satisfies Record<string, Symbology>;

/** The name of a symbology in templates. */
export type SymbologyName = keyof typeof SYMBOLOGIES;

/** The appearance of a barcode. */
interface BarcodeStyle {
  width: Length | undefined;
  height: Length | undefined;
  showText: boolean;
  /** `#rrggbb`. */
  color: string;
}

interface Drawing {
  content: string;
  width: number;
  height: number;
}

/** The GS1 nominal module width of 0.33 mm. */
const PX_PER_MODULE = 1.25;
const DEFAULT_HEIGHT = { px: 15 * (96 / 25.4), text: '15mm' };
const MIN_BAR = 4;
const PROBE_BAR = 40;
/** The default of BWIPP. */
const TEXT_SIZE = 10;
const MAX_TEXT_SHARE = 0.25;
const MM_PER_UNIT = 25.4 / 72;
const MAX_LINEAR_TEXT = 100;
const MAX_MATRIX_TEXT = 3_200;

/**
 * Draws a barcode as SVG. By default a module is 0.33 mm wide.
 * @throws {HelperFault} if the symbology cannot encode the text.
 */
export function drawBarcode(text: string, name: SymbologyName, style: BarcodeStyle): string {
  const symbology: Symbology = SYMBOLOGIES[name];
  const most = symbology.linear ? MAX_LINEAR_TEXT : MAX_MATRIX_TEXT;
  if (text.length > most) cannotHold(text, name, `at most ${most} characters`);
  if (!text.isWellFormed()) cannotHold(text, name, 'unpaired surrogate');
  // Linear codes contain bytes without a character set.
  // oxlint-disable-next-line eslint/no-control-regex -- control characters are valid in Code 128
  if (symbology.linear && !/^[\x00-\x7f]*$/.test(text)) cannotHold(text, name, 'ASCII characters only');
  try {
    return symbology.linear ? drawLinear(text, symbology, style) : drawMatrix(text, symbology, style);
  } catch (error) {
    const [, reason] = /^bwipp\.[^:]*: (.*)$/s.exec(error instanceof Error ? error.message : '') ?? [];
    if (reason !== undefined) cannotHold(text, name, reason);
    throw error;
  }
}

function cannotHold(text: string, name: string, reason: string): never {
  throw new HelperFault(`cannot write ${describe(text)} as ${name}: ${reason}`);
}

function drawLinear(text: string, { encoder }: Symbology, style: BarcodeStyle): string {
  const { showText, color } = style;
  const drawn = (bar: number, textsize = TEXT_SIZE) =>
    draw(encoder, text, {
      color,
      options: {
        height: bar * MM_PER_UNIT,
        includetext: showText,
        ...(textsize < TEXT_SIZE && { textsize }),
      },
    });
  // The width of the code, and the height of text and bearer bars, are only known after drawing.
  let probe = drawn(PROBE_BAR);
  const width = style.width ?? pixels(probe.width * PX_PER_MODULE);
  const height = style.height ?? DEFAULT_HEIGHT;
  const ratio = height.px / width.px;
  // A short code in a wide, low box leaves little space for text.
  const textSize = Math.min(TEXT_SIZE, probe.width * ratio * MAX_TEXT_SHARE);
  if (showText && textSize < TEXT_SIZE) probe = drawn(PROBE_BAR, textSize);
  const bar = probe.width * ratio - (probe.height - PROBE_BAR);
  if (bar < MIN_BAR) throw new HelperFault(`takes a height= with space for bars, not ${height.text}`);
  const drawing = drawn(bar, textSize);
  return svg(drawing.content, { width, height, viewBox: [drawing.width, drawing.height] });
}

function drawMatrix(text: string, { encoder }: Symbology, { width, height, color }: BarcodeStyle): string {
  const drawing = draw(encoder, text, { color, options: {} });
  const ratio = drawing.height / drawing.width;
  const wide = width ?? pixels(height ? height.px / ratio : drawing.width * PX_PER_MODULE);
  return svg(drawing.content, {
    width: wide,
    height: height ?? pixels(wide.px * ratio),
    viewBox: [drawing.width, drawing.height],
  });
}

const DRAWING = /^<svg viewBox="0 0 ([\d.]+) ([\d.]+)" xmlns="[^"]*">\n(.*)<\/svg>\n?$/s;

function draw(
  encoder: string,
  text: string,
  { color, options }: { color: string; options: Record<string, unknown> },
): Drawing {
  const hex = color.slice(1);
  const drawn = library().toSVG({
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

// Loaded on first use: loading takes a third of a second and 15 MB, and most templates have no barcode.
function library(): Library {
  // The build of the package without canvas and file system is an ES module, which Bun can require by path.
  loaded ??= createRequire(import.meta.url)(Bun.resolveSync('bwip-js/generic', import.meta.dir)) as Library;
  return loaded;
}
