import type { DataFault, VariableSchema } from './contract.ts';
import { checkData as check } from './variables.ts';

// What runs in the sandbox.

/** Lists what data lacks of what a schema names; `data` is the text of a JSON object. */
export function checkData({ schema, data }: { schema: VariableSchema; data: Uint8Array }): DataFault[] {
  return check(schema, JSON.parse(new TextDecoder().decode(data)));
}
