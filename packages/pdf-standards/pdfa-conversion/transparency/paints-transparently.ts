import type { Dict } from '@platen/pdf/objects';
import { EVERYWHERE } from './geometry.ts';
import { initialState } from './graphics-state.ts';
import { interpret } from './interpreter.ts';
import type { PaintObserver, OperationBudget, ResourceInspector } from './interpreter-context.ts';

/** Tells whether content that starts in an opaque graphics state paints anything transparent. */
export function paintsTransparently(
  content: Uint8Array,
  {
    resources,
    transparency,
    budget,
  }: { resources: Dict; transparency: ResourceInspector; budget: OperationBudget },
): boolean {
  let found = false;
  const observer: PaintObserver = {
    painted(_, transparent) {
      found ||= transparent;
    },
  };
  const state = initialState(EVERYWHERE);
  interpret(content, { resources, state, depth: 1, context: { transparency, budget, observer } });
  return found;
}
