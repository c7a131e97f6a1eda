import { invalid } from '../../src/plugin.ts';

/** Puppeteer's paper formats in inches. */
const FORMATS: Readonly<Record<string, readonly [width: number, height: number]>> = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
  a0: [33.1102, 46.811],
  a1: [23.3858, 33.1102],
  a2: [16.5354, 23.3858],
  a3: [11.6929, 16.5354],
  a4: [8.2677, 11.6929],
  a5: [5.8268, 8.2677],
  a6: [4.1339, 5.8268],
};

const INCHES: Readonly<Record<string, number>> = { px: 1 / 96, in: 1, cm: 1 / 2.54, mm: 1 / 25.4 };

/** Reads a length in inches. A number is in CSS pixels. @throws {AppError} that names the field */
export function readLength(path: string, length: string | number): number {
  if (typeof length === 'number') return length / 96;
  const [, amount, unit = 'px'] = /^(\d{1,6}(?:\.\d{1,6})?)(px|in|cm|mm)?$/i.exec(length.trim()) ?? [];
  if (amount === undefined) throw invalid(path, 'must be a length in px, in, cm or mm, such as "1in"');
  return Number(amount) * (INCHES[unit.toLowerCase()] ?? 1);
}

/** Returns the size of the paper in inches. @throws {AppError} that names the field */
export function readPaper({
  format,
  width,
  height,
}: {
  format?: string | undefined;
  width?: string | number | undefined;
  height?: string | number | undefined;
}): { width: number; height: number } {
  const name = format?.toLowerCase() ?? 'letter';
  const size = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (!size) throw invalid('options.format', `must be one of ${Object.keys(FORMATS).join(', ')}`);
  const [formatWidth, formatHeight] = size;
  // A format takes precedence, as in Puppeteer.
  if (format !== undefined) return { width: formatWidth, height: formatHeight };
  return {
    width: width === undefined ? formatWidth : readLength('options.width', width),
    height: height === undefined ? formatHeight : readLength('options.height', height),
  };
}
