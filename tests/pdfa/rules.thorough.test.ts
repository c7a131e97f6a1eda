import { describe, expect, test } from 'bun:test';
import { convertToPdfa } from '../../packages/pdf-standards/pdfa-conversion/convert.ts';
import { checkPdfa } from '../../packages/pdf-standards/pdfa-check/check-pdfa.ts';
import { predefinedSchemas } from '../../packages/pdf-standards/pdfa-check/xmp/predefined-schemas.ts';
import { PdfaError } from '../../packages/pdf-standards/violation.ts';
import { PdfError } from '../../packages/pdf/objects/index.ts';
import { convertible } from '../../packages/pdf-standards/tests/conforming-sample.ts';
import { RULE_SAMPLES, type RuleSample } from '../../packages/pdf-standards/tests/rules/index.ts';
import { predefinedSamples } from '../../packages/pdf-standards/tests/rules/predefined.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../support/pdf/verapdf.ts';

const LEVELS = ['1b', '2b'] as const;
type Level = (typeof LEVELS)[number];

const source = (level: Level) => convertToPdfa(Buffer.from(convertible, 'latin1'), { title: 'Title', level });

/**
 * How many files veraPDF and the checker accept or reject: `accepts` by veraPDF, then `accepted` by the
 * checker.
 */
interface Matrix {
  accepts: { accepted: number; rejected: string[] };
  rejects: { accepted: string[]; rejected: number };
}

/** Has veraPDF and the checker judge samples, and prints how often they agree. */
async function compare(title: string, level: Level, samples: readonly RuleSample[]): Promise<Matrix> {
  const pdf = await source(level);
  const files = new Map(samples.map(({ name, change }) => [name, change(pdf)]));
  const verdicts = await validateWithVeraPdf(files, level);
  const matrix: Matrix = { accepts: { accepted: 0, rejected: [] }, rejects: { accepted: [], rejected: 0 } };
  for (const [name, file] of files) {
    const isAccepted = checkPdfa(file, level).length === 0;
    if (verdicts.get(name)?.length === 0) {
      if (isAccepted) matrix.accepts.accepted++;
      else matrix.accepts.rejected.push(name);
    } else if (isAccepted) matrix.rejects.accepted.push(name);
    else matrix.rejects.rejected++;
  }
  const { accepts, rejects } = matrix;
  const row = [
    `veraPDF accepts ${accepts.accepted + accepts.rejected.length}, of which Platen rejects ${accepts.rejected.length}`,
    `veraPDF rejects ${rejects.rejected + rejects.accepted.length}, of which Platen accepts ${rejects.accepted.length}`,
  ];
  console.log(`PDF/A-${level}, ${title}: ${row.join('; ')}`);
  return matrix;
}

describe.each(LEVELS)('veraPDF and the checker agree at %s', (level) => {
  const judged = Object.entries(RULE_SAMPLES)
    .map(
      ([subject, samples]) => [subject, samples.filter((each) => (each.level ?? level) === level)] as const,
    )
    .filter(([, samples]) => samples.length > 0);

  test.each(judged)(
    'on the rules about %s',
    async (subject, samples) => {
      if (!requireVeraPdf()) return;
      const { accepts, rejects } = await compare(subject, level, samples);
      expect({ rejected: accepts.rejected, accepted: rejects.accepted }).toEqual({
        rejected: [],
        accepted: [],
      });
    },
    600_000,
  );

  test('on a right and a wrong value of every predefined property', async () => {
    if (!requireVeraPdf()) return;
    const { properties } = predefinedSchemas({ part: level === '1b' ? 1 : 2 });
    const samples = predefinedSamples(properties);
    const { accepts, rejects } = await compare('predefined properties', level, samples);
    expect({ rejected: accepts.rejected, accepted: rejects.accepted }).toEqual({
      rejected: [],
      accepted: [],
    });
    // Half of the samples have a right value. None of them repeats the PDF/A identification, which every
    // sample has.
    expect(accepts.accepted).toBe(samples.length / 2);
  }, 600_000);

  test('on every conversion of a sample', async () => {
    if (!requireVeraPdf()) return;
    const pdf = await source(level);
    const converted = new Map<string, Uint8Array>();
    for (const [subject, samples] of Object.entries(RULE_SAMPLES))
      for (const { name, change } of samples) {
        const result = await convertToPdfa(change(pdf), { level, allowSignatureLoss: true }).catch(
          (error: unknown) => {
            if (error instanceof PdfaError || error instanceof PdfError) return undefined;
            throw error;
          },
        );
        if (result) converted.set(`${subject}: ${name}`, result);
      }
    const verdicts = await validateWithVeraPdf(converted, level);
    console.log(`PDF/A-${level}, conversions: ${converted.size}`);
    expect([...verdicts].filter(([, failures]) => failures.length > 0)).toEqual([]);
    expect(converted.size).toBeGreaterThan(100);
  }, 600_000);
});
