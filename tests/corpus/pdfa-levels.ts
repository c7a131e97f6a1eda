import { PDFA_LEVELS, type PdfaLevel } from '@platen/pdf';
import { convertSample } from '../pdfa/convert-sample.ts';
import { corpusSamples } from '../pdfa/samples.ts';
import { validateWithVeraPdf } from '../support/verapdf.ts';

/** How the files of the corpus are converted to a level of PDF/A. */
export interface LevelResult {
  level: PdfaLevel;
  /** The number of files that were converted. */
  converted: number;
  /** The number of converted files that veraPDF accepts. */
  accepted: number;
  /** Files with the reason why they were not converted, or the rules that veraPDF reports. */
  faults: { file: string; fault: string }[];
}

/** Converts the readable files of the corpus to every level of PDF/A, and validates the results with veraPDF. */
export async function convertToLevels(part: string): Promise<LevelResult[]> {
  const results: LevelResult[] = [];
  for (const level of PDFA_LEVELS) {
    const faults: LevelResult['faults'] = [];
    const files = new Map<string, Uint8Array>();
    for (const sample of corpusSamples()) {
      if (!sample.readable || !sample.name.includes(part)) continue;
      const { after, failure } = await convertSample(sample, await sample.read(), level);
      if (after) files.set(sample.name, after);
      else faults.push({ file: sample.name, fault: failure ?? '' });
    }
    const failures = await validateWithVeraPdf(files, level);
    for (const [file, rules] of failures)
      for (const { clause, example } of rules) faults.push({ file, fault: `${clause} ${example}` });
    const accepted = [...failures.values()].filter((rules) => rules.length === 0).length;
    results.push({ level, converted: files.size, accepted, faults });
  }
  return results;
}
