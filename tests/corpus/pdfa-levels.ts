import type { PdfaLevel } from '@platen/pdf-standards';
import { comparePages } from '../pdfa/compare-pages.ts';
import { convertSample } from '../pdfa/convert-sample.ts';
import { MAX_CHANGED } from '../pdfa/report.ts';
import { corpusSamples } from '../pdfa/samples.ts';
import { validateWithVeraPdf } from '../support/pdf/verapdf.ts';

/** The results of converting the files of the corpus to a level of PDF/A. */
export interface LevelResult {
  level: PdfaLevel;
  /** The number of files that other readers open. */
  readable: number;
  /** The number of files that were converted. */
  converted: number;
  /** The number of converted files that veraPDF accepts. */
  accepted: number;
  /** The number of compared pages, and of pages that look the same as before. */
  pages: number;
  same: number;
  /**
   * For each file, the reason why it was not converted, the rules that veraPDF reports, and the pages that
   * look different.
   */
  faults: { file: string; fault: string }[];
}

/**
 * Converts the readable files of the corpus to levels of PDF/A, and validates the results with veraPDF. With
 * `looks`, compares the pages.
 */
export async function* convertToLevels(
  levels: readonly PdfaLevel[],
  { part, looks }: { part: string; looks: boolean },
): AsyncGenerator<LevelResult> {
  const samples = corpusSamples().filter(({ readable, name }) => readable && name.includes(part));
  for (const level of levels) {
    const faults: LevelResult['faults'] = [];
    const files = new Map<string, Uint8Array>();
    let [pages, same] = [0, 0];
    for (const sample of samples) {
      const { name } = sample;
      const { before, after, failure } = await convertSample(sample, await sample.read(), level);
      if (!after) {
        faults.push({ file: name, fault: failure ?? '' });
        continue;
      }
      files.set(name, after);
      for (const { page, changed } of looks ? await comparePages(before, after) : []) {
        pages++;
        if (changed <= MAX_CHANGED) same++;
        else
          faults.push({
            file: name,
            fault: `page ${page}: ${(100 * changed).toFixed(1)} % of its pixels changed`,
          });
      }
    }
    const failures = await validateWithVeraPdf(files, level);
    for (const [file, rules] of failures)
      for (const { clause, example } of rules) faults.push({ file, fault: `${clause} ${example}` });
    const accepted = [...failures.values()].filter((rules) => rules.length === 0).length;
    yield { level, readable: samples.length, converted: files.size, accepted, pages, same, faults };
  }
}
