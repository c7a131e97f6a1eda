/** A regular expression that is not proven linear, and the reason why it cannot block the service. */
export interface RegexException {
  /** Path of the file from the root. */
  file: string;
  /** The pattern as in the report: `/source/flags`, or the code that creates it. */
  pattern: string;
  /** Why it matches only short text, or cannot block the service. */
  reason: string;
}

const OWN_FILES =
  'The text is a file of the person who runs the command, in a process of that person; each repetition is bounded.';

/** The exceptions. An exception that no pattern needs fails the check. */
export const REGEX_EXCEPTIONS: readonly RegexException[] = [
  {
    file: 'src/commands/documents/inline-files.ts',
    pattern: String.raw`/(!\[[^\]\n]{0,1000}\]\(\s{0,10}<?)([^\s)>]{1,2000})/g`,
    reason: OWN_FILES,
  },
  {
    file: 'src/commands/documents/inline-files.ts',
    pattern: String.raw`/(\burl\(\s{0,10}|@import\s{1,10}(?=["']))(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^"')\s]{1,2000}))/gi`,
    reason: OWN_FILES,
  },
  {
    file: 'plugins/gotenberg/outbound/pattern.ts',
    pattern: 'new RegExp(pattern)',
    reason:
      "The pattern is the operator's, as in Gotenberg. It matches URLs of callers only in the sandbox, within two seconds.",
  },
  {
    file: 'plugins/ai/settings.ts',
    pattern: String.raw`/\/+$/`,
    reason: 'The text is AI_BASE_URL, which the operator sets; it is matched once at startup.',
  },
  {
    file: 'packages/pdf/fonts/cff-writer.ts',
    pattern: String.raw`/0+$/`,
    reason: 'The text is toPrecision(12) of a number: at most 19 characters.',
  },
  {
    file: 'packages/pdf/objects/truncation.ts',
    pattern: String.raw`/\/Linearized\b[^>]*?\/L\s+(\d+)/`,
    reason: 'The text is the first 1,024 bytes of a file.',
  },
  {
    file: 'packages/pdf/objects/serialize.ts',
    pattern: String.raw`/\.?0+$/`,
    reason: 'The text is toFixed(10) of a number: at most 33 characters.',
  },
  {
    file: 'packages/templates/helpers/arguments.ts',
    pattern: String.raw`/^0+|0+$/g`,
    reason: 'The text is a number of at most 400 characters (MAX_NUMBER_LENGTH).',
  },
];
