import { isDeepStrictEqual } from 'node:util';
import { isAny, isEnum, type Schema } from './schema.ts';

/**
 * Writes a union without `anyOf` if one type accepts every value: texts, or a text for a number that the
 * service only receives. Otherwise keeps a union of the different types.
 */
export function union(members: readonly Schema[], keywords: Schema, isReturned: boolean): Schema {
  if (members.some(isAny)) return keywords;
  const enums = members.filter(isEnum);
  const others = members.filter((member) => !isEnum(member));
  const hasText = others.some(({ type }) => type === 'string');
  const kept = others.filter(
    ({ type }) => isReturned || !(hasText && (type === 'number' || type === 'integer')),
  );
  // A text accepts the values of an enumeration, too.
  if (enums.length > 0 && !hasText)
    kept.push({ type: 'string', enum: enums.flatMap(({ enum: values = [] }) => values) });
  const [only] = kept;
  if (only && kept.length === 1) return { ...only, ...keywords };
  return { ...keywords, anyOf: kept };
}

/** Returns a schema that accepts the values of two schemas, with the keywords that they share. */
function common(first: Schema, second: Schema): Schema {
  if (first.type !== second.type) return {};
  const shared = Object.entries(first).filter(([keyword, value]) =>
    isDeepStrictEqual(value, second[keyword]),
  );
  return {
    ...Object.fromEntries(shared),
    ...(first.type === 'array' && !isDeepStrictEqual(first.items, second.items) && { items: {} }),
    ...((first.nullable || second.nullable) && { nullable: true }),
  };
}

/**
 * Writes a union of objects as one object with the properties of all of them. A property is required if it is
 * required in every object, and has no type if its types differ.
 */
export function joinObjects(objects: readonly Schema[]): Schema {
  const properties = new Map<string, Schema>();
  for (const [name, property] of objects.flatMap((object) => Object.entries(object.properties ?? {}))) {
    const known = properties.get(name) ?? property;
    properties.set(name, isDeepStrictEqual(known, property) ? known : common(known, property));
  }
  const [first, ...others] = objects.map(({ required = [] }) => required);
  const required = first?.filter((name) => others.every((names) => names.includes(name))) ?? [];
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}
