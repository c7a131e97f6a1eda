/** The most documents in a batch. */
export const MAX_RECORDS = 100;

/** Parses the data of several documents. Returns the objects, or the reason why the text cannot be used. */
export function readRecords(text: string): Record<string, unknown>[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The data is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!Array.isArray(value)) return 'The data must be a list, in square brackets.';
  if (value.length === 0) return 'The list has no entries.';
  if (value.length > MAX_RECORDS)
    return `The list has ${value.length} entries. A batch can have at most ${MAX_RECORDS} documents.`;
  const wrong = value.findIndex(
    (entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry),
  );
  return wrong === -1 ? (value as Record<string, unknown>[]) : `Entry ${wrong + 1} is not an object.`;
}
