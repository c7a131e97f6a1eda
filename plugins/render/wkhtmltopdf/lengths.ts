/** The paper sizes of Qt (`QPrinter::PaperSize`), which wkhtmltopdf knows by these names, in millimetres. */
const PAPER_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  a0: [841, 1189],
  a1: [594, 841],
  a2: [420, 594],
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  a6: [105, 148],
  a7: [74, 105],
  a8: [52, 74],
  a9: [37, 52],
  b0: [1000, 1414],
  b1: [707, 1000],
  b2: [500, 707],
  b3: [353, 500],
  b4: [250, 353],
  b5: [176, 250],
  b6: [125, 176],
  b7: [88, 125],
  b8: [62, 88],
  b9: [44, 62],
  b10: [31, 44],
  c5e: [163, 229],
  comm10e: [105, 241],
  dle: [110, 220],
  executive: [190.5, 254],
  folio: [210, 330],
  ledger: [431.8, 279.4],
  legal: [215.9, 355.6],
  letter: [215.9, 279.4],
  tabloid: [279.4, 431.8],
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

/** Finds a paper size by its name in any case. */
export function readPaper(name: string): { width: number; height: number } | undefined {
  const [width, height] = PAPER_SIZES[name.toLowerCase()] ?? [];
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
