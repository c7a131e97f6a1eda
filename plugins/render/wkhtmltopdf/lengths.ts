/** The paper sizes of Qt (`QPrinter::PaperSize`), which wkhtmltopdf knows by these names, in millimetres. */
const PAPER_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  A7: [74, 105],
  A8: [52, 74],
  A9: [37, 52],
  B0: [1000, 1414],
  B1: [707, 1000],
  B2: [500, 707],
  B3: [353, 500],
  B4: [250, 353],
  B5: [176, 250],
  B6: [125, 176],
  B7: [88, 125],
  B8: [62, 88],
  B9: [44, 62],
  B10: [31, 44],
  C5E: [163, 229],
  Comm10E: [105, 241],
  DLE: [110, 220],
  Executive: [190.5, 254],
  Folio: [210, 330],
  Ledger: [431.8, 279.4],
  Legal: [215.9, 355.6],
  Letter: [215.9, 279.4],
  Tabloid: [279.4, 431.8],
};

const MILLIMETRES: Readonly<Record<string, number>> = {
  '': 1,
  mm: 1,
  millimeter: 1,
  cm: 10,
  centimeter: 10,
  m: 1000,
  meter: 1000,
  in: 25.4,
  inch: 25.4,
  pt: 25.4 / 72,
  point: 25.4 / 72,
  pc: 25.4 / 6,
  pica: 25.4 / 6,
  px: 25.4 / 96,
  pixel: 25.4 / 96,
  didot: 0.375,
};

/** The largest side of a PDF page: 14,400 units of 1/72 in (ISO 32000-1 annex C.2). */
const MAX_SIDE = 200 * 25.4;
const MIN_SIDE = 0.5 * 25.4;

/** The names of the paper sizes. */
export const PAPER_NAMES = Object.keys(PAPER_SIZES);

const SIZES_BY_NAME = new Map(
  Object.entries(PAPER_SIZES).map(([name, size]) => [name.toLowerCase(), size] as const),
);

/** Finds a paper size by its name in any case. */
export function readPaper(name: string): { width: number; height: number } | undefined {
  const [width, height] = SIZES_BY_NAME.get(name.toLowerCase()) ?? [];
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** Reads a length, such as `10`, `10mm` or `0.5in`, in millimetres. */
export function readLength(text: string): number | undefined {
  const [, amount, unit = ''] =
    /^(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})\s?([a-z]{0,10})$/i.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(MILLIMETRES, unit.toLowerCase()) ? MILLIMETRES[unit.toLowerCase()] : undefined;
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

/** Reads the length of a side of the paper, in millimetres. */
export function readSide(text: string): number | undefined {
  const side = readLength(text);
  return side !== undefined && side >= MIN_SIDE && side <= MAX_SIDE ? side : undefined;
}
