import { withExtension } from '../../../src/plugin.ts';

/**
 * Characters that file names do without on some system, or that make a name look like another: those that
 * `file_name` of other requests must not have, and those that Windows rejects.
 */
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const UNSAFE = /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Names of devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
/** Below the limit of other names, so that a number and the ending fit. */
const MAX_CHARACTERS = 180;
const PDF = '.pdf';

/**
 * Makes a file name of a text; `null` if nothing is left of it. The ending `.pdf` is added if it is missing.
 */
export function toFileName(text: string): string | null {
  const safe = text.toWellFormed().normalize('NFC').replaceAll(UNSAFE, '-').trim();
  let start = 0;
  while (safe[start] === '.' || safe[start] === ' ') start += 1;
  const base = safe.slice(start);
  const stem = base.toLowerCase().endsWith(PDF) ? base.slice(0, -PDF.length) : base;
  const short = Array.from(stem).slice(0, MAX_CHARACTERS).join('').trim();
  if (short === '' || /^-+$/.test(short)) return null;
  return withExtension(DEVICE.test(short) ? `_${short}` : short, 'application/pdf');
}

/**
 * Keeps the names of a batch apart: the second file of a name gets ` (2)`, and so on. Names that differ only
 * in case count as the same, because some file systems cannot keep both.
 */
export class DistinctNames {
  readonly #taken: Set<string>;
  /** The number that the next file of a name that is taken gets at least. */
  readonly #next = new Map<string, number>();

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken.map((name) => name.toLowerCase()));
  }

  /** Returns the name, or a numbered one if it is taken, and takes it. */
  take(name: string): string {
    const key = name.toLowerCase();
    let unique = name;
    for (let number = this.#next.get(key) ?? 2; this.#taken.has(unique.toLowerCase()); number += 1) {
      unique = `${name.slice(0, -PDF.length)} (${number})${PDF}`;
      this.#next.set(key, number + 1);
    }
    this.#taken.add(unique.toLowerCase());
    return unique;
  }
}
