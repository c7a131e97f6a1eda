import { fontEnvironment } from '../browser/font-config.ts';

const CODE_POINTS = 0x11_0000;

/** The maximum number of characters of a text that are read. More would block the event loop. */
const MAX_READ_LENGTH = 200_000;

/** Characters that need no glyph: white space, controls and combining marks. */
const WITHOUT_GLYPH = /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Mn}]/u;

/**
 * Chromium never takes a private-use character from a font that the document does not name, even if an
 * installed font has it.
 */
const PRIVATE_USE = /\p{Co}/u;

/**
 * Knows which characters the fonts of a fontconfig file cover. The fonts are read once, at the first
 * question.
 */
export class FontCoverage {
  readonly #fontConfig: string;
  #covered: Promise<Uint8Array | null> | undefined;

  constructor(fontConfig: string) {
    this.#fontConfig = fontConfig;
  }

  /**
   * Returns up to `limit` characters for which Chromium finds no glyph in the installed fonts; an empty list
   * when fontconfig is not available. White space, controls and combining marks are not reported.
   */
  async findUncovered(text: string, limit: number): Promise<string[]> {
    const covered = await (this.#covered ??= readCoverage(this.#fontConfig));
    if (!covered) return [];
    const missing: string[] = [];
    for (const character of new Set(text.slice(0, MAX_READ_LENGTH))) {
      if (missing.length === limit) break;
      const code = character.codePointAt(0) ?? 0;
      const isCovered = ((covered[code >> 3] ?? 0) & (1 << (code & 7))) !== 0;
      if ((!isCovered || PRIVATE_USE.test(character)) && !WITHOUT_GLYPH.test(character))
        missing.push(character);
    }
    return missing;
  }
}

/**
 * Reads the coverage of all fonts from fontconfig: hexadecimal ranges of code points, `20-7e a0-17f …`;
 * `null` without fontconfig.
 */
async function readCoverage(fontConfig: string): Promise<Uint8Array | null> {
  try {
    const list = Bun.spawn(['fc-list', '--format', '%{charset}\n'], {
      env: fontEnvironment(fontConfig),
      stdout: 'pipe',
      stderr: 'ignore',
    });
    const ranges = new Set((await new Response(list.stdout).text()).split(/\s+/));
    if ((await list.exited) !== 0) return null;
    const covered = new Uint8Array(CODE_POINTS / 8);
    for (const range of ranges) {
      const [first = NaN, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
      for (let code = first; code <= Math.min(last, CODE_POINTS - 1); code += 1)
        covered[code >> 3] = (covered[code >> 3] ?? 0) | (1 << (code & 7));
    }
    return covered;
  } catch {
    return null;
  }
}
