import {
  Dict,
  name,
  Name,
  PdfString,
  resolve,
  serialize,
  type Operation,
  type PdfObject,
} from '@platen/pdf/objects';
import { fitName, fitNumber, isTooSmall, LIMITS } from '../../limits/limits.ts';
import { hasEvenStrings, hasPlainNumbers } from './operand-text.ts';

/** Tells whether the operands of an operation are within the limits, and their syntax is unambiguous. */
export function fitsOperation({ operands, start, end }: Operation, content: Uint8Array): boolean {
  let strings = false;
  const visit = (object: PdfObject): boolean => {
    // Integers may be larger, but the parsed number does not tell whether it was written as one.
    if (typeof object === 'number') return Math.abs(object) <= LIMITS.real && !isTooSmall(object);
    if (object instanceof Name) return object.value.length <= LIMITS.nameBytes;
    if (object instanceof PdfString) {
      strings = true;
      return object.bytes.length <= LIMITS.stringBytes;
    }
    if (Array.isArray(object)) return object.length <= LIMITS.arrayItems && object.every(visit);
    return !(object instanceof Dict) || [...object.map.values()].every(visit);
  };
  if (!operands.every(visit)) return false;
  if (strings) return hasEvenStrings(content, start, end);
  return !operands.some((operand) => typeof operand === 'number') || hasPlainNumbers(content, start, end);
}

/**
 * Rewrites an operation as one or more operations with operands within the limits, and with nearly the same
 * effect.
 */
export function fitOperation({ operator, operands }: Operation): string {
  const fitted = operands.map(fitOperand);
  const [first] = fitted;
  if (operator === 'Tj' && first instanceof PdfString && first.bytes.length > LIMITS.stringBytes)
    return splitString(first)
      .map((part) => `${write(part)} Tj`)
      .join('\n');
  if (operator === 'TJ' && Array.isArray(first)) {
    const items = first.flatMap((item): PdfObject[] =>
      item instanceof PdfString ? splitString(item) : [item],
    );
    const rows: string[] = [];
    for (let at = 0; at < items.length; at += LIMITS.arrayItems)
      rows.push(`${write(items.slice(at, at + LIMITS.arrayItems))} TJ`);
    return rows.join('\n');
  }
  const split = operator === 'cm' ? splitTranslation(operands) : undefined;
  return split ?? `${fitted.map(write).join(' ')} ${operator}`;
}

/**
 * Splits a translation beyond the range of reals into an integer part and the rest. Chromium places the pages
 * of a long document as sections of one tall page, so rounding the translation would shift their lines.
 */
function splitTranslation(operands: readonly PdfObject[]): string | undefined {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands.map((operand) => Number(operand));
  if (operands.length !== 6 || ![a, b, c, d].every((value) => Math.abs(value) <= LIMITS.real))
    return undefined;
  const [across, up] = [e, f].map((value) => fitNumber(Math.trunc(value))) as [number, number];
  return `1 0 0 1 ${across} ${up} cm ${[a, b, c, d, e - across, f - up].map(write).join(' ')} cm`;
}

function fitOperand(object: PdfObject): PdfObject {
  if (typeof object === 'number') return fitNumber(object);
  if (object instanceof Name) return name(fitName(object.value));
  if (Array.isArray(object)) return object.map(fitOperand);
  if (object instanceof Dict)
    return new Dict([...object.map].map(([key, value]) => [fitName(key), fitOperand(value)]));
  return object;
}

/** Splits a string at an even offset, so that two-byte characters stay whole. */
function splitString({ bytes }: PdfString): PdfString[] {
  const size = LIMITS.stringBytes - 1;
  const parts: PdfString[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += size)
    parts.push(new PdfString(bytes.subarray(at, at + size)));
  return parts;
}

function write(object: PdfObject): string {
  return serialize(resolve(object) ?? null, () => 0);
}
