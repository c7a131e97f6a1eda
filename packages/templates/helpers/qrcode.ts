import { encodeQR } from 'qr';
import { HelperFault } from './definition.ts';
import { svg, type Length } from './svg.ts';

/** How much of a QR code may be damaged, in the standard's letters. */
export type QrLevel = 'L' | 'M' | 'Q' | 'H';

const LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;
/** The most digits that any QR code holds (ISO/IEC 18004, version 40-L). */
const MAX_TEXT = 7_089;

/** Draws a QR code as a square SVG. `marginModules` is the quiet zone. @throws {HelperFault} for text that no QR code holds. */
export function drawQrCode(text: string, { level, marginModules, size, color, background }: QrStyle): string {
  const modules = encode(text, level);
  const width = modules.length + 2 * marginModules;
  const field = background ? `<path fill="${background}" d="M0 0h${width}v${width}H0z"/>` : '';
  // Neighbours must not show hairlines in between.
  const code = `<path fill="${color}" shape-rendering="crispEdges" d="${outline(modules, marginModules)}"/>`;
  return svg(field + code, { width: size, height: size, viewBox: [width, width] });
}

/** How a QR code looks. Colours are `#rrggbb`. */
export interface QrStyle {
  level: QrLevel;
  marginModules: number;
  size: Length;
  color: string;
  background: string | null;
}

function encode(text: string, level: QrLevel): boolean[][] {
  if (text.length <= MAX_TEXT) {
    try {
      // The encoder insists on a border.
      const bordered = encodeQR(text, 'raw', { ecc: LEVELS[level], border: 1 });
      return bordered.slice(1, -1).map((row) => row.slice(1, -1));
    } catch {
      // It fails on nothing but size.
    }
  }
  throw new HelperFault(
    `takes text that a QR code of level ${level} can hold, not ${text.length} characters`,
  );
}

// One rectangle for each run of dark modules in a row.
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
