import { deserialize, serialize } from 'bun:jsc';

/**
 * The head of a message: the structured-clone data of a value without its long byte arrays, which follow as
 * raw bytes. Cloning 36 MB blocks the event loop for 68 ms; raw bytes are sent without a copy.
 */
interface Head {
  value: unknown;
  /** The path of each long byte array in the value, and its length. */
  long: { path: (string | number)[]; length: number }[];
}

const LONG_BYTES = 65_536;
/** Byte arrays nested more deeply are cloned. */
const MAX_DEPTH = 5;
const LENGTH_BYTES = 4;

/** Packs a value into consecutive parts. @throws the error of `serialize` if the value cannot be cloned. */
export function pack(value: unknown): Uint8Array[] {
  const long: Head['long'] = [];
  const parts: Uint8Array[] = [];
  const without = extractLong(value, [], (bytes, path) => {
    long.push({ path, length: bytes.length });
    parts.push(bytes);
  });
  const head: Head = { value: without, long };
  // Its memory is a SharedArrayBuffer, which Bun sends like any other.
  const cloned = serialize(head, { binaryType: 'nodebuffer' }) as Buffer<ArrayBuffer>;
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(cloned.length);
  return [length, cloned, ...parts];
}

/**
 * Unpacks a value. Its long byte arrays are views of the given bytes.
 * @throws {Error} if the message is malformed.
 */
export function unpack(bytes: ArrayBuffer): unknown {
  const end = LENGTH_BYTES + new DataView(bytes).getUint32(0, true);
  const head = deserialize(bytes.slice(LENGTH_BYTES, end)) as Head;
  const holder = { value: head.value };
  let offset = end;
  for (const { path, length } of head.long) {
    insert(holder, ['value', ...path], new Uint8Array(bytes, offset, length));
    offset += length;
  }
  return holder.value;
}

function extractLong(
  value: unknown,
  path: (string | number)[],
  take: (bytes: Uint8Array, path: (string | number)[]) => void,
): unknown {
  if (value instanceof Uint8Array && value.length >= LONG_BYTES) {
    take(value, path);
    return null;
  }
  if (path.length === MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (!value.some((item) => typeof item === 'object')) return value;
    return value.map((item, index) => extractLong(item, [...path, index], take));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => typeof item === 'object')) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, extractLong(item, [...path, key], take)]));
}

function insert(holder: object, path: readonly (string | number)[], bytes: Uint8Array): void {
  let parent: unknown = holder;
  for (const key of path.slice(0, -1)) {
    parent =
      typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
        ? Reflect.get(parent, key)
        : undefined;
  }
  const last = path.at(-1);
  if (typeof parent !== 'object' || parent === null || last === undefined || !Object.hasOwn(parent, last))
    throw new Error('the path of a byte array does not exist in the value');
  Reflect.set(parent, last, bytes);
}
