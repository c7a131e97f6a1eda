import { checkData as check } from '@platen/templates/check-data';
import type { DataFault, VariableSchema } from './contract.ts';

// The functions in this file run in the sandbox.

/**
 * Lists the variables of the schema that are missing from the data or have another type. `data` is the text
 * of a JSON object.
 */
export function checkData({ schema, data }: { schema: VariableSchema; data: Uint8Array }): DataFault[] {
  return check(schema, JSON.parse(new TextDecoder().decode(data)));
}
