import { convertToPdfa, PdfaError, PdfError } from '@platen/pdf';
import type { Sample } from './samples.ts';

/** What became of a sample. */
export interface Archived {
  sample: Sample;
  before: Uint8Array;
  /** `undefined` when it was refused. */
  after: Uint8Array | undefined;
  /** Why it was refused; `crash: …` for what should not happen to any file. */
  refusal: string | undefined;
  ms: number;
}

/** Converts a sample. A signed document may lose its signature. */
export async function archive(sample: Sample, before: Uint8Array): Promise<Archived> {
  const start = performance.now();
  const outcome = await convertToPdfa(before, {
    title: undefined,
    author: undefined,
    subject: undefined,
    allowSignatureLoss: true,
  }).catch((error: unknown) => error);
  const ms = performance.now() - start;
  if (outcome instanceof Uint8Array) return { sample, before, after: outcome, refusal: undefined, ms };
  const expected = outcome instanceof PdfaError || outcome instanceof PdfError;
  const refusal = expected ? outcome.message : `crash: ${describe(outcome)}`;
  return { sample, before, after: undefined, refusal, ms };
}

function describe(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ')
    : String(error);
}
