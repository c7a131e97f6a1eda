const BACKSLASH = 92;

/**
 * Finds the quote that ends a string of JSON, from the first place in it; one behind an odd number of backslashes does not end it.
 * The text's length when there is none.
 */
export function endOfString(json: string | Buffer, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (codeAt(json, before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}

function codeAt(json: string | Buffer, index: number): number | undefined {
  return typeof json === 'string' ? json.charCodeAt(index) : json[index];
}
