import { HelperFault } from './definition.ts';
import { PX_PER_MM, type Length } from './svg.ts';

/** CSS pixels in an inch. */
const PX_PER_INCH = 96;
/** The fraction of a dot by which a width may be short of a whole dot, because its decimals are rounded. */
const TOLERANCE = 1e-3;

interface DotLimits {
  /** The resolution of the printer. */
  dpi: number;
  /** The maximum width of the code in CSS pixels. Without it, a module is about `modulePx` wide. */
  maxPx: number | undefined;
  modulePx: number;
}

/**
 * Returns the width of a code in which each module is the same whole number of dots of a printer.
 * @throws {HelperFault} if a module would be narrower than a dot
 */
export function wholeDots(modules: number, { dpi, maxPx, modulePx }: DotLimits): Length {
  const dotPx = PX_PER_INCH / dpi;
  const dots =
    maxPx === undefined
      ? Math.max(1, Math.round(modulePx / dotPx))
      : Math.floor(maxPx / modules / dotPx + TOLERANCE);
  if (maxPx !== undefined && dots < 1) {
    const minMm = Math.ceil((modules * dotPx) / PX_PER_MM);
    const foundMm = Math.floor(maxPx / PX_PER_MM);
    throw new HelperFault(
      `takes a width of at least ${minMm}mm for this content at ${dpi} dpi, not ${foundMm}mm`,
    );
  }
  const px = Math.round(modules * dots * dotPx * 1e4) / 1e4;
  return { px, text: `${px}px` };
}
