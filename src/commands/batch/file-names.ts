import { UsageError } from '../failures.ts';
import { safeName, uniqueName } from '../names.ts';
import type { DataItem } from './items.ts';

/**
 * Returns the name of the PDF of each item, which is the same in each run with the same data: the value of a
 * field, such as `customer.name`, or else the number of the item.
 * @throws {UsageError} for an item without the field
 */
export function fileNames(items: readonly DataItem[], field: string | undefined): string[] {
  const digits = String(items.length).length;
  const taken = new Set<string>();
  return items.map(({ data, place }, index) => {
    const number = String(index + 1).padStart(Math.max(digits, 4), '0');
    if (field === undefined) return `${number}.pdf`;
    const value = field.split('.').reduce<unknown>(memberOf, data);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new UsageError(`${place} has no text or number "${field}", which --name needs`);
    return `${uniqueName(safeName(String(value), number), taken)}.pdf`;
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
