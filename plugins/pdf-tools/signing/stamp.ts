import type { RenderService } from '../../render/contract.ts';

/** The longest side of a page in points (ISO 32000-1 annex C.2). */
const MAX_SIDE_PT = 14_400;

export interface StampText {
  name: string;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
}

/** A line of a stamp. The name has no label. */
interface StampLine {
  label: string;
  text: string;
}

/**
 * Arranges the texts of a stamp in lines, the name first and the date last. `at` is in epoch milliseconds.
 */
function stampLines({ name, reason, location, contact }: StampText, at: number): StampLine[] {
  const lines = [
    { label: '', text: name },
    { label: 'Reason', text: reason ?? '' },
    { label: 'Location', text: location ?? '' },
    { label: 'Contact', text: contact ?? '' },
    { label: 'Date', text: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
  ];
  return lines.filter(({ text }) => text !== '');
}

/** Returns the lines of a stamp as text. */
export function describeStamp(stamp: StampText, at: number): string {
  return stampLines(stamp, at)
    .map(({ label, text }) => (label === '' ? text : `${label}: ${text}`))
    .join('\n');
}

/**
 * Replaces unpaired surrogates, and replaces control characters and runs of whitespace with single spaces.
 */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  const printable = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return printable.replaceAll(/\s+/g, ' ').trim();
}

/** Tells whether a text contains a visible character. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

/** The range of font sizes in points. The name is 1.3 times as large. */
const STAMP_FIT = { minPt: 4, maxPt: 16 };

/**
 * The minimum size in points at which a stamp is drawn, with space for each line at the smallest font size.
 */
const MIN_DRAWN = { width: 72, height: 30 };

/**
 * Returns the size in points at which a stamp is drawn. A smaller stamp is drawn larger, and then scaled
 * down.
 */
function drawnSize({ width, height }: StampSize): StampSize {
  const enlarged = Math.max(1, MIN_DRAWN.width / width, MIN_DRAWN.height / height);
  const factor = Math.min(enlarged, MAX_SIDE_PT / Math.max(width, height));
  return {
    width: Math.max(width * factor, MIN_DRAWN.width),
    height: Math.max(height * factor, MIN_DRAWN.height),
  };
}

interface StampSize {
  width: number;
  height: number;
}

/** Renders a stamp as HTML: a border, the name, and a line for each other text. */
function stampHtml(
  lines: readonly StampLine[],
  { width, height }: { width: number; height: number },
): string {
  // Use whole pixels: Chromium would round the border up, and its right edge would lie outside the box.
  const [widthPx, heightPx] = [width, height].map((points) => Math.floor((points * 96) / 72));
  const frame = `box-sizing:border-box;width:${widthPx}px;min-height:${heightPx}px;border:0.75pt solid #27408b;border-radius:2pt;padding:1.5pt 4pt;display:flex;flex-direction:column;justify-content:center;color:#14213d;line-height:1.2`;
  const order = truncationOrder(lines);
  const rows = lines.map((line) => {
    const { label, text } = line;
    const cut = order.has(line) ? ` data-cut="${order.get(line)}"` : '';
    const size = label === '' ? 'font-size:1.3em;font-weight:bold' : 'font-size:1em';
    const prefix = label === '' ? '' : `<span style="color:#4a5a8a">${label}: </span>`;
    // Isolate the direction of each text from the rest of the stamp.
    return `<div style="${size}">${prefix}<bdi${cut}>${Bun.escapeHTML(text)}</bdi></div>`;
  });
  return `<div style="${frame}">${rows.join('')}</div>`;
}

/**
 * Returns the order in which texts are truncated: the longest first, the name last. The date is never
 * truncated.
 */
function truncationOrder(lines: readonly StampLine[]): Map<StampLine, number> {
  const [name, ...rest] = lines.filter(({ label }) => label !== 'Date');
  const byLength = rest.toSorted((a, b) => a.text.length - b.text.length);
  return new Map([...(name ? [name] : []), ...byLength].map((line, index) => [line, index + 1]));
}

/** A drawn stamp: a PDF with the stamp in the upper left corner of its page, and its size in points. */
export interface DrawnStamp extends StampSize {
  pdf: Uint8Array;
}

/** Draws a stamp for a box. */
export async function drawStamp(
  render: Pick<RenderService, 'drawSnippets'>,
  { accountId, text, at, size }: { accountId: string; text: StampText; at: number; size: StampSize },
): Promise<DrawnStamp> {
  const drawn = drawnSize(size);
  const html = stampHtml(stampLines(text, at), drawn);
  const box = { html, widthPt: drawn.width, heightPt: drawn.height, fit: STAMP_FIT };
  return { pdf: await render.drawSnippets(accountId, [box]), ...drawn };
}
