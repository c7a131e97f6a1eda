import { escapeText } from '../../../render/contract.ts';
import type { StampLine } from './stamp-text.ts';

/** What the text of a stamp may measure, in points; the name is 1.3 times as large. */
export const STAMP_FIT = { minPt: 4, maxPt: 16 };

/** The smallest stamp that has room for a line of each kind at the smallest size, in points. */
export const MIN_STAMP = { width: 72, height: 30 };

/** Draws the face of a stamp in HTML: a frame, the name, and a line for each of the rest. */
export function stampHtml(
  lines: readonly StampLine[],
  { width, height }: { width: number; height: number },
): string {
  // Whole pixels: Chromium would round the frame up to them, and its right edge would lie outside the box.
  const [across, up] = [width, height].map((points) => Math.floor((points * 96) / 72));
  const frame = `box-sizing:border-box;width:${across}px;min-height:${up}px;border:0.75pt solid #27408b;border-radius:2pt;padding:1.5pt 4pt;display:flex;flex-direction:column;justify-content:center;color:#14213d;line-height:1.2`;
  const order = cuttingOrder(lines);
  const rows = lines.map((line) => {
    const { label, text } = line;
    const cut = order.has(line) ? ` data-cut="${order.get(line)}"` : '';
    const size = label === '' ? 'font-size:1.3em;font-weight:bold' : 'font-size:1em';
    const prefix = label === '' ? '' : `<span style="color:#4a5a8a">${label}: </span>`;
    // Each text is a paragraph of its own direction, which nothing in it can leave.
    return `<div style="${size}">${prefix}<bdi${cut}>${escapeText(text)}</bdi></div>`;
  });
  return `<div style="${frame}">${rows.join('')}</div>`;
}

/** The date stays whole; of the rest the longest gives way first, and the name last. */
function cuttingOrder(lines: readonly StampLine[]): Map<StampLine, number> {
  const [name, ...rest] = lines.filter(({ label }) => label !== 'Date');
  const byLength = rest.toSorted((a, b) => a.text.length - b.text.length);
  return new Map([...(name ? [name] : []), ...byLength].map((line, index) => [line, index + 1]));
}
