import { Type, type TSchema } from '@sinclair/typebox';

/** Creates the schema of a value that may be `null`. The schema of the value contains its description. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
