/** A regular expression that is not proven linear, and the reason why it can stop nobody. */
export interface RegexException {
  /** Path of the file, from the root. */
  file: string;
  /** As in the report of the check: `/source/flags`, or the code that makes it. */
  pattern: string;
  /** What bounds the text that it sees. */
  reason: string;
}

/** All exceptions. One that no pattern needs fails the check. */
export const REGEX_EXCEPTIONS: readonly RegexException[] = [
  {
    file: 'plugins/ai/settings.ts',
    pattern: String.raw`/\/+$/`,
    reason: 'It sees AI_BASE_URL, which the operator sets, once at the start.',
  },
  {
    file: 'packages/pdf/fonts/cff-writer.ts',
    pattern: String.raw`/0+$/`,
    reason: 'It sees toPrecision(12) of a number, which is at most 19 characters long.',
  },
  {
    file: 'packages/pdf/objects/truncation.ts',
    pattern: String.raw`/\/Linearized\b[^>]*?\/L\s+(\d+)/`,
    reason: 'It sees the first 1,024 bytes of a file.',
  },
  {
    file: 'packages/pdf/objects/serialize.ts',
    pattern: String.raw`/\.?0+$/`,
    reason: 'It sees toFixed(10) of a number, which is at most 33 characters long.',
  },
  {
    file: 'packages/templates/helpers/arguments.ts',
    pattern: String.raw`/^0+|0+$/g`,
    reason: 'It sees the digits of a number of at most 400 characters (MAX_NUMBER_LENGTH).',
  },
];
