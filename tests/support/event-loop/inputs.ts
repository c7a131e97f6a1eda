/** What requests may refer to, stored before they are sent. */
export interface Stored {
  template: string;
  /** With a schema of 500 variables. */
  typedTemplate: string;
  publicTemplate: string;
  generation: string;
  batch: string;
}

/** A request that makes the service work as much as any that is known for its route. */
export interface WorstInput {
  /** As the OpenAPI document names it: `POST /v1/templates/{id}`. */
  route: string;
  name: string;
  path?: (stored: Stored) => string;
  /** JSON text. */
  body?: (stored: Stored) => string | Uint8Array;
  /** Sent in chunks of this size (RFC 9112, 7.1); whole when absent. */
  chunkBytes?: number;
  /** Takes seconds, or does what another input does on another route: for the benchmark alone. */
  benchOnly?: boolean;
}

/** Writes JSON. */
export const json = (value: unknown) => JSON.stringify(value);
/** Makes an object of many members. */
export const keys = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));
/** Bytes. */
export const MB = 1_000_000;

/** Writes a list of empty objects. */
export const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;

/** Encodes the bytes of a PDF. */
export const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
/** Makes base64 of something that is not a PDF. */
export const notPdf = (bytes: number) => base64('%PDF-nothing '.repeat(bytes / 13));

/** Makes a text when it is first asked for. */
function once(make: () => string): () => string {
  let text: string | undefined;
  return () => (text ??= make());
}

/** Bodies that are large and mean nothing, for every route with a body. */
const manyKeys = once(() => json(keys(400_000)));
const bodies: Record<string, () => string> = {
  '400,000 unknown keys': manyKeys,
  'one key of 30 MB': () => `{"${'k'.repeat(30 * MB)}":1}`,
  '30 MB of brackets': () => '['.repeat(30 * MB),
  '30 MB of blanks': () => `{${' '.repeat(30 * MB)}}`,
  '30 MB of commas': () => `[${','.repeat(30 * MB)}]`,
  'a million numbers': () => `[${'1,'.repeat(990_000)}1]`,
  'unknown key with 30 MB of escapes': () => `{"x":"${'\\n'.repeat(15 * MB)}"}`,
};

/** Sends each of them to a route. The reader of bodies is the same for all; the test sends them all to routes that are `typical`. */
export const everyBody = (
  route: string,
  { path, typical = false }: { path?: WorstInput['path']; typical?: boolean } = {},
): WorstInput[] =>
  Object.entries(bodies).map(([name, body], index) => ({
    route,
    name,
    body,
    ...(path && { path }),
    benchOnly: !typical && index > 0,
  }));
