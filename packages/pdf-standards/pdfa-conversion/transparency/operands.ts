import { Name, resolve, type PdfObject } from '@platen/pdf/objects';

/** Returns the number at an index; 0 for any other object. */
export function number(operands: readonly PdfObject[], index: number): number {
  const value = resolve(operands[index]);
  return typeof value === 'number' ? value : 0;
}

/** Returns the value of a name; an empty string for any other object. */
export function nameIn(object: PdfObject | undefined): string {
  const value = resolve(object);
  return value instanceof Name ? value.value : '';
}
