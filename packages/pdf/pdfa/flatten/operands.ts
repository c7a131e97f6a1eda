import { Name, resolve, type PdfObject } from '../../objects/index.ts';

/** The number at a place among operands; 0 for what is none. */
export function number(operands: readonly PdfObject[], index: number): number {
  const value = resolve(operands[index]);
  return typeof value === 'number' ? value : 0;
}

/** The name that an operand is; empty for what is none. */
export function nameIn(object: PdfObject | undefined): string {
  const value = resolve(object);
  return value instanceof Name ? value.value : '';
}
