import type { TSchema } from '@sinclair/typebox';
import { isFileInput } from './file-input.ts';
import { isLongText } from './long-text.ts';
import { isRawObject } from './raw-json.ts';

/** How the reader treats the values at a path in the JSON. `undefined` means that they are parsed. */
export type LiftPlan =
  /** A long string stays bytes. */
  | { kind: 'bytes' }
  /** An object stays JSON text. */
  | { kind: 'raw' }
  | { kind: 'members'; members: ReadonlyMap<string, LiftPlan> }
  | { kind: 'items'; items: LiftPlan };

/**
 * Derives the plan from a schema: values of `LongText`, `FileInput` and `RawObject` are not parsed. Returns
 * `undefined` if it has none of them.
 */
export function planLifts(schema: TSchema): LiftPlan | undefined {
  if (isLongText(schema) || isFileInput(schema)) return { kind: 'bytes' };
  if (isRawObject(schema)) return { kind: 'raw' };
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  if (anyOf) return anyOf.map(planLifts).reduce(mergePlans, undefined);
  if (items) {
    const plan = planLifts(items);
    return plan && { kind: 'items', items: plan };
  }
  const members = Object.entries(properties ?? {}).flatMap(([name, member]): [string, LiftPlan][] => {
    const plan = planLifts(member);
    return plan ? [[name, plan]] : [];
  });
  return members.length > 0 ? { kind: 'members', members: new Map(members) } : undefined;
}

/** Merges the plans of two variants of a union. Unless both are plans of members, the first plan wins. */
function mergePlans(first: LiftPlan | undefined, second: LiftPlan | undefined): LiftPlan | undefined {
  if (first?.kind !== 'members' || second?.kind !== 'members') return first ?? second;
  const members = new Map(first.members);
  for (const [name, plan] of second.members) members.set(name, mergePlans(members.get(name), plan) ?? plan);
  return { kind: 'members', members };
}
