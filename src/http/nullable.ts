import { Type, type TSchema } from '@sinclair/typebox';

/** Creates the schema of a value that may be `null`. The description of the value belongs to its own schema. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
