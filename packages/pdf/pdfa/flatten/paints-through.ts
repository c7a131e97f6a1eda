import type { Dict } from '../../objects/index.ts';
import { EVERYWHERE } from './geometry.ts';
import { initialState } from './graphics-state.ts';
import { interpret } from './interpreter.ts';
import type { Observer, OperationBudget, ResourceLook } from './setting.ts';

/** Tells whether content that begins in a plain state paints anything that is seen through. */
export function paintsThrough(
  content: Uint8Array,
  {
    resources,
    transparency,
    budget,
  }: { resources: Dict; transparency: ResourceLook; budget: OperationBudget },
): boolean {
  let found = false;
  const observer: Observer = {
    painted(_, seenThrough) {
      found ||= seenThrough;
    },
  };
  const state = initialState(EVERYWHERE);
  interpret(content, { resources, state, depth: 1, setting: { transparency, budget, observer } });
  return found;
}
