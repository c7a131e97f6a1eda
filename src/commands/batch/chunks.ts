/** The limits of a request for a batch, of which the bytes are below that of the service. */
export const MAX_ITEMS = 10_000;
const MAX_BYTES = 90_000_000;

/** Divides items among requests, each within the limits of a batch. Keeps the order. */
export function divide<T>(items: readonly T[], sizeOf: (item: T) => number, maxItems = MAX_ITEMS): T[][] {
  const chunks: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = chunks.at(-1);
    if (last && last.length < maxItems && bytes + size <= MAX_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      chunks.push([item]);
      bytes = size;
    }
  }
  return chunks;
}
