/** The amount of garbage that is collected at once, which takes about 30 ms. */
const LIMIT_BYTES = 64_000_000;

let noted = 0;

/**
 * Counts the bytes of large values that are no longer used, and collects garbage when they add up to {@link LIMIT_BYTES}. JavaScriptCore
 * itself would wait until the heap has about doubled.
 */
export function noteGarbage(bytes: number): void {
  noted += bytes;
  if (noted < LIMIT_BYTES) return;
  noted = 0;
  Bun.gc(true);
}
