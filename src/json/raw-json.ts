import { Kind, Type, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'RawJson';

/** A JSON object as valid but unparsed text, because parsing even a short text can take long. */
export class RawJson {
  /** UTF-8. Invalid bytes count as U+FFFD, as in all text that the service decodes. */
  readonly bytes: Uint8Array;

  /** Wraps the text of a valid JSON object. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Serializes an object to its JSON text. */
  static of(value: object): RawJson {
    return new RawJson(Buffer.from(JSON.stringify(value)));
  }

  get sizeBytes(): number {
    return this.bytes.byteLength;
  }

  /** Decodes the text. */
  get text(): string {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  }
}

TypeRegistry.Set(KIND, (_, value) => value instanceof RawJson);

/** Creates the schema of an object that stays unparsed until it reaches the sandbox or a browser page. */
export function RawObject(options: { title?: string; description: string }): TUnsafe<RawJson> {
  const documented = Type.Record(Type.String(), Type.Unknown(), { ...options, expected: 'an object' });
  const schema: TSchema = { ...documented, [Kind]: KIND };
  return schema as TUnsafe<RawJson>;
}

/** Tells whether a schema is a {@link RawObject}. */
export function isRawObject(schema: TSchema): boolean {
  return schema[Kind] === KIND;
}
