/** The named paper formats: width and height in inches, in their usual orientation. */
const FORMATS = {
  // ISO 216, in millimetres.
  A0: millimetres(841, 1189),
  A1: millimetres(594, 841),
  A2: millimetres(420, 594),
  A3: millimetres(297, 420),
  A4: millimetres(210, 297),
  A5: millimetres(148, 210),
  A6: millimetres(105, 148),
  // ANSI/ASME Y14.1. Ledger is Tabloid in landscape orientation.
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
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

function millimetres(width: number, height: number): readonly [number, number] {
  return [width / 25.4, height / 25.4];
}
