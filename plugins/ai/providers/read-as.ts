import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Static } from '../../../src/plugin.ts';
import { nonsense } from './provider.ts';

/** Reads a part of an answer by its schema. @throws {ProviderError} when it is something else. */
export function readAs<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!Value.Check(schema, value)) throw nonsense();
  return value;
}
