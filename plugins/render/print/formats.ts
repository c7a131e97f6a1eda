/** The named paper formats: width and height in inches, in portrait orientation. */
const FORMATS = {
  // ISO 216: 210 x 297 mm.
  A4: [210 / 25.4, 297 / 25.4],
  // ANSI/ASME Y14.1.
  Letter: [8.5, 11],
  Legal: [8.5, 14],
} as const;

/** The names of {@link FORMATS}. */
export const FORMAT_NAMES = Object.keys(FORMATS);

const BY_NAME = new Map<string, readonly [number, number]>(
  Object.entries(FORMATS).map(([name, size]) => [name.toLowerCase(), size]),
);

/** Finds a paper format by its name, in upper or lower case. */
export function findFormat(name: string): readonly [number, number] | undefined {
  return BY_NAME.get(name.toLowerCase());
}
