import type { StampLine } from './stamp-text.ts';

/** What the text of a stamp may measure, in points; the name is 1.3 times as large. */
export const STAMP_FIT = { minPt: 4, maxPt: 16 };

/** The smallest stamp that shows a name and a date, in points. */
export const MIN_STAMP = { width: 60, height: 20 };

/** Draws the face of a stamp in HTML: a frame, the name, and a line for each of the rest. */
export function stampHtml(
  lines: readonly StampLine[],
  { width, height }: { width: number; height: number },
): string {
  const frame = `box-sizing:border-box;width:${width}pt;min-height:${height}pt;border:0.75pt solid #27408b;border-radius:2pt;padding:1.5pt 4pt;display:flex;flex-direction:column;justify-content:center;color:#14213d;line-height:1.15`;
  const rows = lines.map(({ label, text }, index) => {
    // The date stays whole; of the rest the last line gives way first, the name last.
    const cut = label === 'Date' ? '' : ` data-cut="${index + 1}"`;
    const size = label === '' ? 'font-size:1.3em;font-weight:bold' : 'font-size:1em';
    const prefix = label === '' ? '' : `<span style="color:#4a5a8a">${label}: </span>`;
    // Each text is a paragraph of its own direction, which nothing in it can leave.
    return `<div style="${size}">${prefix}<bdi${cut}>${escapeText(text)}</bdi></div>`;
  });
  return `<div style="${frame}">${rows.join('')}</div>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
