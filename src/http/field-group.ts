import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';

const GROUP = Symbol('group');

/** A property that may belong to a group. `JSON.stringify` and the validator do not see symbols. */
type Grouped = TSchema & { [GROUP]?: TObject };

/** The fields of groups, by the copies of them in objects. Comparing them as JSON takes most of the time. */
const originals = new WeakMap<TSchema, TSchema>();

/**
 * Names fields that several object schemas share: `fieldGroup('ResultFields', { file_name, reference })`. The
 * OpenAPI document describes them once, as a component with this name in PascalCase. Every object with all of
 * the fields refers to it; an object that changes or omits one describes them itself. Validation stays the
 * same. A group may contain another.
 */
export function fieldGroup<T extends TProperties>(name: string, fields: T): T {
  const group = Type.Object(fields, { title: name });
  const entries = Object.entries(fields).map(([key, field]) => {
    const copy = { ...field, [GROUP]: group };
    originals.set(copy, field);
    return [key, copy];
  });
  return Object.fromEntries(entries) as T;
}

/** Divides the fields of an object schema into groups that it contains as a whole, and the other fields. */
export function findGroups(schema: TObject): { groups: TObject[]; others: TProperties } {
  const others = { ...schema.properties };
  const groups = candidatesOf(schema).filter((group) => {
    const isWhole = Object.keys(group.properties).every(
      (name) => name in others && isSameField(name, schema, group),
    );
    if (isWhole) for (const name of Object.keys(group.properties)) delete others[name];
    return isWhole;
  });
  return { groups, others };
}

/** Returns the groups of the fields, outer groups first. The schema itself may be a group. */
function candidatesOf({ title, properties }: TObject): TObject[] {
  const found = new Map<string, TObject>();
  let layer: [string, Grouped | undefined][] = Object.entries(properties);
  while (layer.length > 0) {
    layer = layer.flatMap(([name, field]) => {
      const group = field?.[GROUP];
      if (!group) return [];
      if (group.title !== undefined && group.title !== title) found.set(group.title, group);
      return [[name, group.properties[name]]] as [string, Grouped | undefined][];
    });
  }
  return [...found.values()];
}

function isSameField(name: string, schema: TObject, group: TObject): boolean {
  const [field, own] = [schema.properties[name], group.properties[name]];
  return (
    (isCopyOf(field, own) || JSON.stringify(field) === JSON.stringify(own)) &&
    (schema.required?.includes(name) ?? false) === (group.required?.includes(name) ?? false)
  );
}

/** Tells whether a field is a copy of another one, or a copy of a copy. */
function isCopyOf(field: TSchema | undefined, original: TSchema | undefined): boolean {
  let current = field;
  while (current && current !== original) current = originals.get(current);
  return current !== undefined;
}
