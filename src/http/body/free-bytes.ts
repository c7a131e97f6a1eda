/** The minimum size of arrays that are freed explicitly. Garbage collection frees smaller ones. */
const FREED_BYTES = 4_096;

/**
 * Frees the memory of a large array immediately, without waiting for garbage collection. Does nothing for a
 * view of a larger buffer.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole && byteLength >= FREED_BYTES) buffer.transfer(0);
}
