import { deserialize, serialize } from 'bun:jsc';

/**
 * How values cross between the service and a sandbox process: structured-clone data, followed by the long byte arrays of the value
 * as they are. Cloning 36 MB takes 68 ms and holds up everything else; sent as they are, they are not copied by the sender.
 */
interface Head {
  value: unknown;
  /** Where each long byte array belongs, and its length. */
  long: { path: (string | number)[]; length: number }[];
}

const LONG_BYTES = 65_536;
/** Byte arrays that lie deeper are cloned like everything else. */
const MAX_DEPTH = 5;
const LENGTH_BYTES = 4;

/** Packs a value into parts that belong behind each other. @throws what `serialize` throws for what cannot be cloned. */
export function pack(value: unknown): Uint8Array[] {
  const long: Head['long'] = [];
  const parts: Uint8Array[] = [];
  const without = takeLong(value, [], (bytes, path) => {
    long.push({ path, length: bytes.length });
    parts.push(bytes);
  });
  const head: Head = { value: without, long };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it lies over a SharedArrayBuffer, whose bytes Bun sends like any others
  const cloned = serialize(head, { binaryType: 'nodebuffer' }) as Buffer<ArrayBuffer>;
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(cloned.length);
  return [length, cloned, ...parts];
}

/** Unpacks a value; its long byte arrays are views of the given bytes. @throws {Error} when the parts do not fit together. */
export function unpack(bytes: ArrayBuffer): unknown {
  const end = LENGTH_BYTES + new DataView(bytes).getUint32(0, true);
  const head = deserialize(bytes.slice(LENGTH_BYTES, end)) as Head;
  const holder = { value: head.value };
  let offset = end;
  for (const { path, length } of head.long) {
    put(holder, ['value', ...path], new Uint8Array(bytes, offset, length));
    offset += length;
  }
  return holder.value;
}

function takeLong(
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
    return value.map((item, index) => takeLong(item, [...path, index], take));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => typeof item === 'object')) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, takeLong(item, [...path, key], take)]));
}

function put(holder: object, path: readonly (string | number)[], bytes: Uint8Array): void {
  let place: unknown = holder;
  for (const key of path.slice(0, -1)) {
    place =
      typeof place === 'object' && place !== null && Object.hasOwn(place, key)
        ? Reflect.get(place, key)
        : undefined;
  }
  const last = path.at(-1);
  if (typeof place !== 'object' || place === null || last === undefined || !Object.hasOwn(place, last))
    throw new Error('a byte array has no place in its value');
  Reflect.set(place, last, bytes);
}
