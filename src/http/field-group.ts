import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';

const GROUP = Symbol('group');

/** A property that may belong to a group. `JSON.stringify` and the validator do not see symbols. */
type Grouped = TSchema & { [GROUP]?: TObject };

/**
 * Names fields that several object schemas share: `fieldGroup('ResultFields', { file_name, reference })`. The
 * OpenAPI document describes them once, as a component with this name in PascalCase. Every object with all of
 * the fields refers to it; an object that changes or omits one describes them itself. Validation stays the
 * same. A group may contain another.
 */
export function fieldGroup<T extends TProperties>(name: string, fields: T): T {
  const group = Type.Object(fields, { title: name });
  const entries = Object.entries(fields).map(([key, field]) => [key, { ...field, [GROUP]: group }]);
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
  return (
    JSON.stringify(schema.properties[name]) === JSON.stringify(group.properties[name]) &&
    (schema.required?.includes(name) ?? false) === (group.required?.includes(name) ?? false)
  );
}
