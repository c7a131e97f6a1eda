/** The named paper formats: width and height in inches, in portrait orientation. */
export const FORMATS = {
  // ISO 216: 210 x 297 mm.
  A4: [210 / 25.4, 297 / 25.4],
  // ANSI/ASME Y14.1.
  Letter: [8.5, 11],
  Legal: [8.5, 14],
} as const;

/** The name of a paper format. */
export type FormatName = keyof typeof FORMATS;

/** The names of {@link FORMATS}. */
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
