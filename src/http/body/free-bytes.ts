/** Smaller arrays are left to garbage collection. */
const FREED_BYTES = 4_096;

/** Frees the memory of bytes that are no longer used, unless they are a view of a larger buffer. Garbage collection may come much later. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole && byteLength >= FREED_BYTES) buffer.transfer(0);
}
