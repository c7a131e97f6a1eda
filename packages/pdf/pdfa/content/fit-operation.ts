import {
  Dict,
  name,
  Name,
  PdfString,
  resolve,
  serialize,
  type Operation,
  type PdfObject,
} from '../../objects/index.ts';
import { fitName, fitNumber, LIMITS } from '../limits/limits.ts';
import { hasEvenStrings, hasPlainNumbers } from './operand-text.ts';

/** Tells whether the operands are within the limits, and strings written in pairs of hexadecimal digits. */
export function fitsOperation({ operands, start, end }: Operation, content: Uint8Array): boolean {
  let strings = false;
  const visit = (object: PdfObject): boolean => {
    // An integer may be larger; whether it is written as one is not asked.
    if (typeof object === 'number') return Math.abs(object) <= LIMITS.real;
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

/** Writes an operation whose operands are beyond the limits as one or several that are within them and do the same, or nearly. */
export function fitOperation({ operator, operands }: Operation): string {
  const fitted = operands.map(fitOperand);
  const [first] = fitted;
  if (operator === 'Tj' && first instanceof PdfString && first.bytes.length > LIMITS.stringBytes)
    return cut(first)
      .map((part) => `${write(part)} Tj`)
      .join('\n');
  if (operator === 'TJ' && Array.isArray(first)) {
    const items = first.flatMap((item): PdfObject[] => (item instanceof PdfString ? cut(item) : [item]));
    const rows: string[] = [];
    for (let at = 0; at < items.length; at += LIMITS.arrayItems)
      rows.push(`${write(items.slice(at, at + LIMITS.arrayItems))} TJ`);
    return rows.join('\n');
  }
  const moved = operator === 'cm' ? splitMove(operands) : undefined;
  return moved ?? `${fitted.map(write).join(' ')} ${operator}`;
}

/**
 * A move too far for a real number goes there in whole units first, and then by what is left: Chromium writes the pages of a long
 * document as parts of one high page, and a rounded move would shift their lines.
 */
function splitMove(operands: readonly PdfObject[]): string | undefined {
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

/** Characters of two bytes stay whole. */
function cut({ bytes }: PdfString): PdfString[] {
  const size = LIMITS.stringBytes - 1;
  const parts: PdfString[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += size)
    parts.push(new PdfString(bytes.subarray(at, at + size)));
  return parts;
}

function write(object: PdfObject): string {
  return serialize(resolve(object) ?? null, () => 0);
}
