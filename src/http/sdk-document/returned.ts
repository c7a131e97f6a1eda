import { nameOf, type Schema } from './schema.ts';

/** Returns the names of the schemas that parts of a document lead to, directly or through other schemas. */
export function namesWithin(
  parts: readonly unknown[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const name = '$ref' in part && typeof part.$ref === 'string' ? nameOf(part.$ref) : undefined;
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      visit(schemas[name]);
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  for (const part of parts) visit(part);
  return names;
}
