import { parseGoFloat } from '../form/go-syntax.ts';

const UNITS: Readonly<Record<string, number>> = {
  pt: 1 / 72,
  px: 1 / 96,
  in: 1,
  mm: 1 / 25.4,
  cm: 1 / 2.54,
  pc: 1 / 6,
};

/** Reads a length, such as `8.5`, `8.5in` or `21cm`, in inches. @throws {Error} with Gotenberg's message */
export function parseInches(text: string): number {
  const factor = UNITS[text.slice(-2)];
  return factor === undefined ? parseGoFloat(text) : parseGoFloat(text.slice(0, -2)) * factor;
}
