import { Decimal, numberText } from '../decimal.ts';
import { isTree, type Tree } from './read-plain.ts';

/** Tells whether a field of plain data is present. `null` and empty text count as absent. */
export function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Reads a decimal of plain data; `undefined` if it is absent or not a number. */
export function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? numberText(value) : value;
  return typeof text === 'string' ? Decimal.parse(text) : undefined;
}

/** Returns a group of plain or UBL data; an empty one if it is absent. */
export function groupOf(data: Tree, name: string): Tree {
  const found = data[name];
  return isTree(found) ? found : {};
}

/** Returns the items of a list of plain or UBL data, with an empty group in place of each other value. */
export function listOf(data: Tree, name: string): Tree[] {
  const found = data[name];
  return Array.isArray(found) ? found.map((item: unknown) => (isTree(item) ? item : {})) : [];
}
