import { createRequire } from 'node:module';
import { describe, HelperFault } from './definition.ts';
import { pixels, svg, type Length } from './svg.ts';

interface Symbology {
  /** BWIPP's name. */
  encoder: string;
  /** Bars whose height is free, and text below. */
  linear: boolean;
}

const linear = (encoder: string): Symbology => ({ encoder, linear: true });
const matrix = (encoder: string): Symbology => ({ encoder, linear: false });

/** The symbologies beside QR codes. */
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

/** A symbology by the name that templates use. */
export type SymbologyName = keyof typeof SYMBOLOGIES;

/** How a barcode looks. */
export interface BarcodeStyle {
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

/** A module of GS1's nominal 0.33 mm. */
const PX_PER_MODULE = 1.25;
const DEFAULT_HEIGHT = { px: 15 * (96 / 25.4), text: '15mm' };
const MIN_BAR = 4;
const PROBE_BAR = 40;
/** BWIPP's own. */
const TEXT_SIZE = 10;
const MAX_TEXT_SHARE = 0.25;
const MM_PER_UNIT = 25.4 / 72;
const MAX_LINEAR_TEXT = 100;
const MAX_MATRIX_TEXT = 3_200;

/** Draws a barcode as SVG, a module 0.33 mm wide unless a size is given. @throws {HelperFault} for text that the symbology cannot hold. */
export function drawBarcode(text: string, name: SymbologyName, style: BarcodeStyle): string {
  const symbology: Symbology = SYMBOLOGIES[name];
  const most = symbology.linear ? MAX_LINEAR_TEXT : MAX_MATRIX_TEXT;
  if (text.length > most) cannotHold(text, name, `at most ${most} characters`);
  if (!text.isWellFormed()) cannotHold(text, name, 'half of a surrogate pair is no character');
  // Linear codes hold bytes without saying which character set they are of.
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
  // How wide the code is, and how much the text and bearer bars add to the bars' height, is known once it is drawn.
  let probe = drawn(PROBE_BAR);
  const width = style.width ?? pixels(probe.width * PX_PER_MODULE);
  const height = style.height ?? DEFAULT_HEIGHT;
  const ratio = height.px / width.px;
  // A short code drawn wide and low leaves little room for text.
  const textSize = Math.min(TEXT_SIZE, probe.width * ratio * MAX_TEXT_SHARE);
  if (showText && textSize < TEXT_SIZE) probe = drawn(PROBE_BAR, textSize);
  const bar = probe.width * ratio - (probe.height - PROBE_BAR);
  if (bar < MIN_BAR) throw new HelperFault(`takes a height= that leaves room for bars, not ${height.text}`);
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
  if (width === undefined) throw new Error(`bwip-js drew what is not understood: ${drawn.slice(0, 80)}`);
  return { content: content.replaceAll('\n', ''), width: Number(width), height: Number(height) };
}

type Library = typeof import('bwip-js/generic');
let loaded: Library | undefined;

// Loading takes a third of a second and 15 MB, helpers are synchronous, and most templates have no barcode.
function library(): Library {
  // The package's build without canvas and file system is a module only, which Bun can require by its path.
  loaded ??= createRequire(import.meta.url)(Bun.resolveSync('bwip-js/generic', import.meta.dir)) as Library;
  return loaded;
}
