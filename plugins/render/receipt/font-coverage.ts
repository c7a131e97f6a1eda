/** A bit for each code point that an installed font covers, read once; `null` when fontconfig is not available. */
let coverage: Promise<Uint8Array | null> | undefined;

const CODE_POINTS = 0x11_0000;

/** The maximum number of characters of a text that are read. More would block the event loop. */
const MAX_READ_LENGTH = 200_000;

/**
 * Returns up to `limit` characters that no installed font covers; an empty list when fontconfig is not available. White space, controls and combining
 * marks are not reported.
 */
export async function findUncovered(text: string, limit: number): Promise<string[]> {
  const covered = await (coverage ??= readCoverage());
  if (!covered) return [];
  const missing: string[] = [];
  for (const character of new Set(text.slice(0, MAX_READ_LENGTH))) {
    if (missing.length === limit) break;
    const code = character.codePointAt(0) ?? 0;
    const isCovered = ((covered[code >> 3] ?? 0) & (1 << (code & 7))) !== 0;
    if (!isCovered && !/[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Mn}]/u.test(character)) missing.push(character);
  }
  return missing;
}

/** Reads the coverage of all fonts from fontconfig: hexadecimal ranges of code points, `20-7e a0-17f …`. */
async function readCoverage(): Promise<Uint8Array | null> {
  try {
    const list = Bun.spawn(['fc-list', '--format', '%{charset}\n'], { stdout: 'pipe', stderr: 'ignore' });
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
