/** The amount of garbage after which it is collected. A collection takes about 30 ms. */
const LIMIT_BYTES = 64_000_000;

let reportedBytes = 0;

/**
 * Reports large values that were released. Collects garbage as soon as the reported bytes add up to 64
 * MB; JavaScriptCore itself would wait until the heap has about doubled.
 */
export function reportGarbage(bytes: number): void {
  reportedBytes += bytes;
  if (reportedBytes < LIMIT_BYTES) return;
  reportedBytes = 0;
  Bun.gc(true);
}
