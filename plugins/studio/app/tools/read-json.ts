/** Parses the JSON of a form. Returns undefined if it is not valid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
