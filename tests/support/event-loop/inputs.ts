/** Records stored in advance, for requests to refer to. */
export interface Stored {
  template: string;
  /** Has a schema of 500 variables. */
  typedTemplate: string;
  publicTemplate: string;
  /** Has 100 cases with the longest data. */
  testedTemplate: string;
  generation: string;
  batch: string;
  /** Has 2,000 pages. */
  file: string;
}

/** The request that, as far as is known, costs the service the most on its route. */
export interface WorstInput {
  /** Named as in the OpenAPI document: `POST /v1/templates/{id}`. */
  route: string;
  name: string;
  path?: (stored: Stored) => string;
  /** JSON text. */
  body?: (stored: Stored) => string | Uint8Array;
  /** `application/json` when absent. */
  contentType?: string;
  /** Sends the body in chunks of this size (RFC 9112, 7.1) instead of whole. */
  chunkBytes?: number;
  /** Only for the benchmark: takes seconds, or repeats the work of another route's input. */
  benchOnly?: boolean;
}

/** Serializes JSON. */
export const json = (value: unknown) => JSON.stringify(value);
/** Creates an object with many members. */
export const keys = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));
/** A megabyte in bytes. */
export const MB = 1_000_000;

/** Creates the text of a list of empty objects. */
export const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;

/** Encodes Latin-1 text in base64. */
export const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
/** Creates base64 of bytes that are not a PDF. */
export const notPdf = (bytes: number) => base64('%PDF-nothing '.repeat(bytes / 13));

/** Returns a function that creates a text when it is first called. */
function once(make: () => string): () => string {
  let text: string | undefined;
  return () => (text ??= make());
}

const manyKeys = once(() => json(keys(400_000)));
/** Large meaningless bodies, for every route with a body. */
const bodies: Record<string, () => string> = {
  '400,000 unknown keys': manyKeys,
  'one key of 30 MB': () => `{"${'k'.repeat(30 * MB)}":1}`,
  '30 MB of brackets': () => '['.repeat(30 * MB),
  '30 MB of spaces': () => `{${' '.repeat(30 * MB)}}`,
  '30 MB of commas': () => `[${','.repeat(30 * MB)}]`,
  'a million numbers': () => `[${'1,'.repeat(990_000)}1]`,
  'unknown key with 30 MB of escapes': () => `{"x":"${'\\n'.repeat(15 * MB)}"}`,
};

/**
 * Returns large meaningless bodies as inputs of a route. All routes share one body reader, so the test sends
 * only `typical` routes all bodies.
 */
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
