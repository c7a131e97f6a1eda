import {
  AppError,
  parseJson,
  RawJson,
  RawObject,
  Type,
  type BodyKind,
  type Static,
} from '../../src/plugin.ts';

/**
 * The largest size of a message without the arguments of its tool. The SDK reads this part at once, so it
 * must be small.
 */
const MAX_ENVELOPE_BYTES = 65_536;

/** A message of JSON-RPC 2.0. The arguments of a tool stay text until the tool is known. */
export const Message = Type.Object(
  {
    method: Type.Optional(Type.String({ maxLength: 200 })),
    params: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.Unknown()),
          arguments: Type.Optional(RawObject({ description: 'The arguments of the tool.' })),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, expected: 'one JSON-RPC message: batches are not supported' },
);

/** A message of JSON-RPC 2.0. */
export type Message = Static<typeof Message>;

/** Reads the body of `POST /mcp` in slices. */
export const messageBody: BodyKind = {
  name: 'mcp',
  label: 'JSON',
  mediaType: 'application/json',
  createReader: (schema) => async (body) => {
    const bytes = await body.bytes();
    const sizeBytes = bytes.length;
    const message = await parseJson(bytes, schema);
    const envelopeBytes = sizeBytes - argumentBytes(message);
    if (envelopeBytes > MAX_ENVELOPE_BYTES)
      throw new AppError(
        'VALIDATION_ERROR',
        `the message has more than ${MAX_ENVELOPE_BYTES} bytes beside params.arguments`,
      );
    return message;
  },
};

function argumentBytes(message: unknown): number {
  const { params } = (message ?? {}) as { params?: { arguments?: unknown } | null };
  const given = params?.arguments;
  return given instanceof RawJson ? given.sizeBytes : 0;
}
