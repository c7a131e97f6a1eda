/** The ids of the files whose content is in memory. */
const fileIds = new WeakMap<Uint8Array, string>();

/**
 * Remembers that bytes are the content of a stored file, so that a response with these bytes need not be
 * copied to be repeated.
 */
export function rememberStored(bytes: Uint8Array, fileId: string): void {
  fileIds.set(bytes, fileId);
}

/** Returns the id of the file whose content the bytes are, if {@link rememberStored} was called for them. */
export function storedIdOf(bytes: Uint8Array): string | undefined {
  return fileIds.get(bytes);
}
