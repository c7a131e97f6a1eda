import { unzipSync, zipSync, type Zippable } from 'fflate';
import { OfficeFault } from './fault.ts';

/** The limits of the files in a ZIP archive, unpacked. They bound the memory and time of everything else. */
const MAX_PARTS = 5_000;
const MAX_PART_BYTES = 64_000_000;
const MAX_TOTAL_BYTES = 160_000_000;

const LOCAL_FILE = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** Files that are compressed already. */
const PACKED = /\.(?:png|jpe?g|gif|emf|wmf|mp4|zip)$/i;

/**
 * Unpacks a ZIP archive, whose sizes are checked before anything is unpacked.
 * @throws {OfficeFault} for a file that is no archive, is encrypted or damaged, or exceeds a limit
 */
export function unpack(file: Uint8Array): Map<string, Uint8Array> {
  if (startsWith(file, COMPOUND_FILE))
    throw new OfficeFault(
      'is protected with a password, or in the format of Office 97: save it as docx, xlsx or pptx without a password',
    );
  if (!startsWith(file, LOCAL_FILE)) throw new OfficeFault('is not a docx, xlsx or pptx file');
  let parts = 0;
  let total = 0;
  let unpacked: Record<string, Uint8Array>;
  const sizes = new Map<string, number>();
  try {
    unpacked = unzipSync(file, {
      filter({ name, originalSize }) {
        parts += 1;
        total += originalSize;
        if (parts > MAX_PARTS) throw new OfficeFault(`has more than ${MAX_PARTS} parts`);
        if (originalSize > MAX_PART_BYTES)
          throw new OfficeFault(`has a part of more than ${MAX_PART_BYTES} bytes when it is unpacked`);
        if (total > MAX_TOTAL_BYTES)
          throw new OfficeFault(`has more than ${MAX_TOTAL_BYTES} bytes when it is unpacked`);
        if (sizes.has(name)) throw new OfficeFault('has two parts of the same name');
        sizes.set(name, originalSize);
        return !name.endsWith('/');
      },
    });
  } catch (error) {
    if (error instanceof OfficeFault) throw error;
    throw new OfficeFault('is damaged: its ZIP archive cannot be unpacked');
  }
  const found = new Map<string, Uint8Array>();
  for (const [name, bytes] of Object.entries(unpacked)) {
    if (bytes.length !== sizes.get(name)) throw new OfficeFault('is damaged: a part has another size');
    if (isSafeName(name)) found.set(name, bytes);
  }
  return found;
}

/** Packs parts into a ZIP archive, in their order. The same parts give the same bytes. */
export function pack(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files: Zippable = {};
  for (const [name, bytes] of parts)
    files[name] = [bytes, { level: PACKED.test(name) ? 0 : 6, mtime: new Date(1980, 0, 1) }];
  return zipSync(files);
}

function isSafeName(name: string): boolean {
  return !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(name) && name !== '__proto__';
}

function startsWith(file: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => file[index] === byte);
}
