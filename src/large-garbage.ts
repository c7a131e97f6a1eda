/** How much garbage may pile up. Collecting it takes about 30 ms. */
const LIMIT_BYTES = 64_000_000;

let noted = 0;

/**
 * Notes that about so many bytes of large values are no longer used. Collects garbage when they add up to {@link LIMIT_BYTES}. By itself,
 * JavaScriptCore waits until the heap has about doubled.
 */
export function noteGarbage(bytes: number): void {
  noted += bytes;
  if (noted < LIMIT_BYTES) return;
  noted = 0;
  Bun.gc(true);
}
