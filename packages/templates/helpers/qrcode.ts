import { encodeQR } from 'qr';
import { HelperFault } from './definition.ts';
import { wholeDots } from './dots.ts';
import { PX_PER_MM, svg, type Length } from './svg.ts';

/** The error correction level of a QR code. */
type QrLevel = 'L' | 'M' | 'Q' | 'H';

const LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;
/** The maximum number of digits in a QR code (ISO/IEC 18004, version 40-L). */
const MAX_CHARACTERS = 7_089;

/**
 * Draws a QR code as a square SVG. `marginModules` is the width of the quiet zone.
 * @throws {HelperFault} if the text is too long for a QR code, or the size is too small.
 */
export function drawQrCode(text: string, style: QrStyle): string {
  const { level, marginModules, size, dpi, color, background, label } = style;
  const modules = encode(text, level);
  const width = modules.length + 2 * marginModules;
  const minMm = Math.ceil(width * (style.minModuleMm ?? 0));
  const side =
    dpi === undefined ? size : wholeDots(width, { dpi, maxPx: size.px, modulePx: size.px / width });
  if (size.px < minMm * PX_PER_MM)
    throw new HelperFault(`takes size= of at least ${minMm}mm for this content, not ${size.text}`);
  const field = background ? `<path fill="${background}" d="M0 0h${width}v${width}H0z"/>` : '';
  // Without crisp edges, hairlines could appear between adjacent modules.
  const code = `<path fill="${color}" shape-rendering="crispEdges" d="${outline(modules, marginModules)}"/>`;
  return svg(field + code, {
    width: side,
    height: side,
    viewBox: [width, width],
    label,
    isExact: dpi !== undefined,
  });
}

/**
 * Returns the dark modules of a QR code as the path of an SVG, and the number of modules of a side. A module
 * is one unit wide, and there is no quiet zone.
 * @throws {HelperFault} if the text is too long for a QR code.
 */
export function qrCodePath(text: string, level: QrLevel): { path: string; modules: number } {
  const modules = encode(text, level);
  return { path: outline(modules, 0), modules: modules.length };
}

/** The appearance of a QR code. Colours are `#rrggbb`. */
interface QrStyle {
  level: QrLevel;
  marginModules: number;
  /** The minimum width of a module. Without it, the code may have any size. */
  minModuleMm?: number;
  size: Length;
  /** The resolution of a printer. The code is then as large as whole dots permit, and at most `size`. */
  dpi?: number | undefined;
  color: string;
  background: string | null;
  /** The text alternative. */
  label?: string;
}

function encode(text: string, level: QrLevel): boolean[][] {
  if (text.length <= MAX_CHARACTERS) {
    try {
      // The encoder requires a border.
      const bordered = encodeQR(text, 'raw', { ecc: LEVELS[level], border: 1 });
      return bordered.slice(1, -1).map((row) => row.slice(1, -1));
    } catch {
      // The encoder fails only if the text is too long.
    }
  }
  throw new HelperFault(`takes text that fits a QR code of level ${level}, not ${text.length} characters`);
}

// Returns a path with one rectangle for each run of dark modules in a row.
function outline(modules: readonly (readonly boolean[])[], margin: number): string {
  let path = '';
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      const start = x;
      while (row[x]) x += 1;
      if (x > start) path += `M${start + margin} ${y + margin}h${x - start}v1h-${x - start}z`;
    }
  }
  return path;
}
