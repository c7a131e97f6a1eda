// The functions in this file run in the sandbox.

/** The names of streams in files of older Office programs. */
const STREAMS: readonly (readonly [name: string, type: string])[] = [
  ['WordDocument', 'doc'],
  ['PowerPoint Document', 'ppt'],
  ['Workbook', 'xls'],
  ['VisioDocument', 'vsd'],
  ['Quill', 'pub'],
  ['Book', 'xls'],
];
const ENCRYPTED = 'EncryptedPackage';

/** An entry of the directory ([MS-CFB], 2.6.1). Sectors, and thus entries, begin at multiples of its size. */
const ENTRY_BYTES = 128;
const NAME_LENGTH_AT = 64;
const KIND_AT = 66;
/** Storages and streams. */
const KINDS = [1, 2];

/** What the directory of a compound file says about its content. */
export interface CompoundContent {
  isEncrypted: boolean;
  /** The types whose streams or storages are present; none if the directory is not. */
  types: string[];
}

/**
 * Reads the names in the directory of a compound file ([MS-CFB]). The text of a document can contain them
 * too, so only whole entries count. A truncated file often lacks its directory, which is at the end.
 */
export function readCompound(bytes: Uint8Array): CompoundContent {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = new Map(
    [ENCRYPTED, ...STREAMS.map(([name]) => name)].map((name) => [name, Buffer.from(`${name}\0`, 'utf16le')]),
  );
  const names = new Set<string>();
  for (let at = 4 * ENTRY_BYTES; at + ENTRY_BYTES <= content.length; at += ENTRY_BYTES) {
    if (!KINDS.includes(content[at + KIND_AT] ?? 0)) continue;
    const length = content.readUInt16LE(at + NAME_LENGTH_AT);
    for (const [name, written] of entries)
      if (written.length === length && content.compare(written, 0, length, at, at + length) === 0)
        names.add(name);
  }
  return {
    isEncrypted: names.has(ENCRYPTED),
    types: STREAMS.flatMap(([name, type]) => (names.has(name) ? [type] : [])),
  };
}
