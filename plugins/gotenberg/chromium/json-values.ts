const LARGEST_STATUS = 999;
const MAX_VALUES = 1_000;

/** Reads a JSON array of HTTP statuses. @throws {Error} with the message of Go's decoder */
export function readStatusCodes(value: unknown): number[] {
  return readList(value, 'int64', (entry) => {
    if (typeof entry === 'number' && Number.isInteger(entry) && Math.abs(entry) <= LARGEST_STATUS)
      return entry;
    throw wrongType(entry, 'int64');
  });
}

/** Reads a JSON array of texts. @throws {Error} with the message of Go's decoder */
export function readStrings(value: unknown): string[] {
  return readList(value, 'string', readString);
}

/** Reads a JSON object whose values are texts. @throws {Error} with the message of Go's decoder */
export function readStringMap(value: unknown): Record<string, string> {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'map[string]string');
  const entries = Object.entries(value);
  requireFew(entries);
  return Object.fromEntries(entries.map(([name, entry]) => [name, readString(entry)]));
}

function readString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongType(value, 'string');
}

function readList<T>(value: unknown, type: string, read: (entry: unknown) => T): T[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw wrongType(value, `[]${type}`);
  requireFew(value);
  return value.map(read);
}

function requireFew(values: readonly unknown[]): void {
  if (values.length > MAX_VALUES) throw new Error(`more than ${MAX_VALUES} values`);
}

/** Creates the error of Go's decoder for a value of the wrong type. */
export function wrongType(value: unknown, type: string): Error {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new Error(`json: cannot unmarshal ${kind} into Go value of type ${type}`);
}
