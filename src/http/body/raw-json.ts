import { Kind, Type, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'RawJson';

/** A JSON object as text, checked to be valid and not parsed: its size says nothing about what it costs to parse. */
export class RawJson {
  /** UTF-8. Bytes that are not stand for U+FFFD, as in every text that the service decodes. */
  readonly bytes: Uint8Array;

  /** Wraps text that is known to be a JSON object. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Writes an object of the service's own. */
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

/** Makes the schema of an object that is handed on unparsed, to be parsed in the sandbox or a page. */
export function RawObject(options: { description: string }): TUnsafe<RawJson> {
  const documented = Type.Record(Type.String(), Type.Unknown(), { ...options, expected: 'an object' });
  const schema: TSchema = { ...documented, [Kind]: KIND };
  return schema as TUnsafe<RawJson>;
}

/** Tells whether a schema is a {@link RawObject}. */
export function isRawObject(schema: TSchema): boolean {
  return schema[Kind] === KIND;
}
