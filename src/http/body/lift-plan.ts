import type { TSchema } from '@sinclair/typebox';
import { isFileInput } from './file-input.ts';
import { isLongText } from './long-text.ts';
import { isRawObject } from './raw-json.ts';

/** How the reader treats the values at a place in the JSON. `undefined` means that they are parsed. */
export type LiftPlan =
  /** A long string stays bytes. */
  | { kind: 'bytes' }
  /** An object stays JSON text. */
  | { kind: 'raw' }
  | { kind: 'members'; members: ReadonlyMap<string, LiftPlan> }
  | { kind: 'items'; items: LiftPlan };

/** Derives the plan from a schema: the values of `LongText` and `RawObject` are not parsed. Returns `undefined` if it has neither. */
export function planLifts(schema: TSchema): LiftPlan | undefined {
  if (isLongText(schema) || isFileInput(schema)) return { kind: 'bytes' };
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
