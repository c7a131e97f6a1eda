import { curveOf, description, text, writeProfile, xyz, type Tag } from './srgb-profile.ts';

const CLASSES = new Set(['prtr', 'mntr', 'scnr', 'spac']);
const COMPONENTS: Readonly<Record<string, number>> = { GRAY: 1, 'RGB ': 3, 'Lab ': 3, CMYK: 4 };
const HEADER_BYTES = 128;
/** The number of samples of a rewritten curve. */
const SAMPLES = 1024;

/** The fields of the header of an ICC profile that PDF/A restricts. */
interface ProfileHeader {
  /** The major version. */
  version: number;
  deviceClass: string;
  /** The signature of the colour space, such as `RGB `. */
  space: string;
}

/** Reads the header of an ICC profile. Returns `undefined` if the data is not an ICC profile. */
export function readProfileHeader(profile: Uint8Array): ProfileHeader | undefined {
  const bytes = view(profile);
  if (bytes.length < HEADER_BYTES + 4 || bytes.toString('latin1', 36, 40) !== 'acsp') return undefined;
  return {
    version: bytes[8] ?? 0,
    deviceClass: bytes.toString('latin1', 12, 16),
    space: bytes.toString('latin1', 16, 20),
  };
}

/**
 * Returns the number of colour components of a profile; `undefined` if PDF/A does not allow the profile (ISO
 * 19005-1 6.2.3.2).
 */
export function allowedComponents(header: ProfileHeader, highestVersion: number): number | undefined {
  if (header.version > highestVersion || !CLASSES.has(header.deviceClass)) return undefined;
  return COMPONENTS[header.space];
}

/**
 * Rewrites a profile of a later version as version 2.1. Supports grey profiles with a curve, and RGB profiles
 * with curves and a matrix. Returns `undefined` for other profiles.
 */
export function downgradeProfile(profile: Uint8Array): Uint8Array | undefined {
  const bytes = view(profile);
  const header = readProfileHeader(profile);
  if (!header || !CLASSES.has(header.deviceClass)) return undefined;
  const tags = readTags(bytes);
  if (tags.has('A2B0')) return undefined;
  const converted: Tag[] = [
    ['desc', description('Profile of the document')],
    ['cprt', text('Same as the source profile')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
  ];
  const curves = header.space === 'RGB ' ? ['rTRC', 'gTRC', 'bTRC'] : ['kTRC'];
  const colours = header.space === 'RGB ' ? ['rXYZ', 'gXYZ', 'bXYZ'] : [];
  for (const signature of colours) {
    const data = tags.get(signature);
    if (!data || data.length < 20) return undefined;
    const [x = 0, y = 0, z = 0] = [8, 12, 16].map((at) => data.readInt32BE(at) / 65_536);
    converted.push([signature, xyz(x, y, z)]);
  }
  for (const signature of curves) {
    const curve = readCurve(tags.get(signature));
    if (!curve) return undefined;
    converted.push([signature, curveOf(SAMPLES, curve)]);
  }
  if (header.space !== 'RGB ' && header.space !== 'GRAY') return undefined;
  return writeProfile(header.space, converted);
}

function view(profile: Uint8Array): Buffer {
  return Buffer.from(profile.buffer, profile.byteOffset, profile.length);
}

function readTags(bytes: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(bytes.readUInt32BE(HEADER_BYTES), 100);
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + 4 + 12 * index;
    if (at + 12 > bytes.length) break;
    const start = bytes.readUInt32BE(at + 4);
    tags.set(bytes.toString('latin1', at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 8)));
  }
  return tags;
}

/** Reads a curve of samples, a gamma value, or one of the five parametric types (ICC.1:2010 10.5, 10.15). */
function readCurve(data: Buffer | undefined): ((value: number) => number) | undefined {
  if (!data || data.length < 12) return undefined;
  const type = data.toString('latin1', 0, 4);
  if (type === 'curv') return sampledCurve(data);
  if (type !== 'para') return undefined;
  const kind = data.readUInt16BE(8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined || data.length < 12 + 4 * count) return undefined;
  const [gamma = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, index) => data.readInt32BE(12 + 4 * index) / 65_536,
  );
  const power = (value: number) => Math.max(a * value + b, 0) ** gamma;
  switch (kind) {
    case 0:
      return (value) => value ** gamma;
    case 1:
      return (value) => (value >= -b / a ? power(value) : 0);
    case 2:
      return (value) => (value >= -b / a ? power(value) + c : c);
    case 3:
      return (value) => (value >= d ? power(value) : c * value);
    default:
      return (value) => (value >= d ? power(value) + e : c * value + f);
  }
}

function sampledCurve(data: Buffer): ((value: number) => number) | undefined {
  const count = data.readUInt32BE(8);
  if (count === 0) return (value) => value;
  if (data.length < 12 + 2 * count) return undefined;
  if (count === 1) {
    const gamma = data.readUInt16BE(12) / 256;
    return (value) => value ** gamma;
  }
  return (value) => {
    const position = value * (count - 1);
    const low = Math.min(Math.floor(position), count - 2);
    const [from, to] = [low, low + 1].map((index) => data.readUInt16BE(12 + 2 * index) / 65_535);
    return (from ?? 0) + ((to ?? 0) - (from ?? 0)) * (position - low);
  };
}
