import { Decimal, numberText } from '../decimal.ts';
import { isGroup, PLAIN_INVOICE, type FieldGroup } from './fields.ts';
import { isTree, type Tree } from './read-plain.ts';

/**
 * Returns a plain invoice whose numbers are written in one way: `" +1 "` becomes `"1"`, and 0.1 + 0.2 becomes
 * 0.3. JSON numbers remain JSON numbers. Other values stay as they are.
 */
export function normalized(data: Tree, { fields }: FieldGroup = PLAIN_INVOICE): Tree {
  const copy: Tree = { ...data };
  for (const one of fields) {
    const value = Object.hasOwn(data, one.name) ? data[one.name] : undefined;
    if (value === undefined) continue;
    if (isGroup(one)) copy[one.name] = normalizedGroup(value, one);
    else if (one.kind === 'decimal' || one.kind === 'own-decimal') copy[one.name] = normalizedNumber(value);
    else if (one.kind === 'vat')
      copy[one.name] =
        isTree(value) && Object.hasOwn(value, 'rate')
          ? { ...value, rate: normalizedNumber(value['rate']) }
          : normalizedNumber(value);
  }
  return copy;
}

function normalizedGroup(value: unknown, group: FieldGroup): unknown {
  if (group.isList && Array.isArray(value))
    return value.map((item: unknown) => (isTree(item) ? normalized(item, group) : item));
  return !group.isList && isTree(value) ? normalized(value, group) : value;
}

function normalizedNumber(value: unknown): unknown {
  if (typeof value === 'number') {
    const text = numberText(value);
    return text === undefined ? value : Number(text);
  }
  return typeof value === 'string' && Decimal.parse(value) ? value.trim().replace(/^\+/, '') : value;
}
