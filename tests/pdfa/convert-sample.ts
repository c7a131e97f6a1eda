import { convertToPdfa, PdfaError, type PdfaLevel } from '@platen/pdf-standards';
import { PdfError } from '@platen/pdf';
import type { Sample } from './samples.ts';

export interface ConvertedSample {
  sample: Sample;
  before: Uint8Array;
  /** The converted file; `undefined` if the conversion failed. */
  after: Uint8Array | undefined;
  /** The message of a failure. It begins with `crash:` for an unexpected error. */
  failure: string | undefined;
  ms: number;
}

/** Converts a sample to a level of PDF/A. Signed documents may lose their signatures. */
export async function convertSample(
  sample: Sample,
  before: Uint8Array,
  level: PdfaLevel = '1b',
): Promise<ConvertedSample> {
  const start = performance.now();
  const outcome = await convertToPdfa(before, {
    level,
    allowSignatureLoss: true,
  }).catch((error: unknown) => error);
  const ms = performance.now() - start;
  if (outcome instanceof Uint8Array) return { sample, before, after: outcome, failure: undefined, ms };
  const expected = outcome instanceof PdfaError || outcome instanceof PdfError;
  const failure = expected ? outcome.message : `crash: ${describe(outcome)}`;
  return { sample, before, after: undefined, failure, ms };
}

function describe(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ')
    : String(error);
}
