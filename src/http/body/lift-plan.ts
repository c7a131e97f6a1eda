import type { TSchema } from '@sinclair/typebox';
import { isLongText } from './long-text.ts';
import { isRawObject } from './raw-json.ts';

/** Says how the values at one place of a body are to be read; `undefined` is as usual. */
export type LiftPlan =
  /** A long string stays the bytes that it has in the body. */
  | { kind: 'bytes' }
  /** An object stays text. */
  | { kind: 'raw' }
  | { kind: 'members'; members: ReadonlyMap<string, LiftPlan> }
  | { kind: 'items'; items: LiftPlan };

/** Finds the places of a schema whose values are not parsed: its `LongText`s and `RawObject`s. */
export function planLifts(schema: TSchema): LiftPlan | undefined {
  if (isLongText(schema)) return { kind: 'bytes' };
  if (isRawObject(schema)) return { kind: 'raw' };
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
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
