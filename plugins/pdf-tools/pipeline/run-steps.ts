import { AppError, invalid, workContext } from '../../../src/plugin.ts';
import { ProvenanceDraft } from '../../files/exports.ts';
import type { MadePdf, FilesService, ProveClaims, Provenance, ReadClaims } from '../../files/contract.ts';
import type { OperationInput } from '../operation.ts';
import { returnsPdf, type PlannedStep } from './order.ts';
import { nameStep, StepRun } from './step-run.ts';

/** The time limit of all steps together. Each task of a step also has its own limit. */
const MAX_MS = 120_000;

/** The operation of a step, and the additional fields of its response, such as `pdfa: true`. */
export interface StepReport {
  do: string;
  [field: string]: unknown;
}

/** The result of the last step: a PDF, or another response. */
export type PipelineResult = { made: MadePdf; reports: StepReport[] } | { answer: unknown };

export interface RunOptions {
  input: OperationInput<object>;
  files: FilesService;
  prove: ProveClaims;
  readClaims: ReadClaims;
  /** Whether the steps continue when the caller disconnects. */
  outlivesCaller: boolean;
  /** The time limit of all steps together; 120 s when absent. */
  maxMs?: number;
}

export interface WaitingSteps {
  /**
   * Runs the steps in order. Each gets the result of the previous one. `provenance` is the provenance of a
   * generated PDF. Claims of earlier steps are checked again for the result of the last step.
   * @throws {AppError} the error of the failed step, whose fields begin with its index
   */
  run: (
    pdfs: Awaited<ReturnType<FilesService['loadAll']>>,
    provenance?: Provenance,
  ) => Promise<PipelineResult>;
  /** Ends the steps that have not begun. */
  cancel: () => void;
}

/**
 * Starts the handlers of all steps, which validate their fields and then wait for their PDFs.
 * @throws {AppError} VALIDATION_ERROR that names the step and its field
 */
export async function startSteps(
  steps: readonly PlannedStep[],
  { input, files, prove, readClaims, outlivesCaller, maxMs = MAX_MS }: RunOptions,
): Promise<WaitingSteps> {
  const deadline = new AbortController();
  const signal = outlivesCaller ? deadline.signal : AbortSignal.any([input.signal, deadline.signal]);
  const start = (step: PlannedStep) => {
    // Only a response that is not a PDF is delivered by its step.
    const body = returnsPdf(step) ? {} : input.body;
    return new StepRun(step, { input: { ...input, signal, body }, files });
  };
  const context = workContext.getStore();
  const startAll = () => steps.map(start);
  const waiting = context ? workContext.run({ ...context, signal }, startAll) : startAll();
  const cancel = () => waiting.forEach((step) => step.cancel());
  for (const [index, step] of waiting.entries())
    await step.ready().catch((error: unknown) => {
      cancel();
      throw nameStep(error, index);
    });

  async function run(...[pdfs, provenance]: Parameters<WaitingSteps['run']>): Promise<PipelineResult> {
    const draft = new ProvenanceDraft(prove, provenance);
    const generated = provenance?.claims.map(({ profile }) => profile) ?? [];
    /** Returns an earlier claim that a result no longer makes. */
    const lost = async (pdf: Uint8Array) => {
      const stale = draft.stale.filter((profile) => !profile.startsWith('pades-'));
      if (stale.length === 0) return undefined;
      // A result that needs a password cannot be read.
      const claimed = new Set(await readClaims(pdf).catch(() => []));
      return stale.find((profile) => !claimed.has(profile));
    };
    let loss: { index: number; profile: string } | undefined;
    const reports: StepReport[] = [];
    let received = pdfs;
    let made: MadePdf | undefined;
    let reservedBytes = 0;
    for (const [index, { kind }] of steps.entries()) {
      signal.throwIfAborted();
      const result = await waiting.shift()?.run(received);
      if (!result || !('made' in result)) return { answer: result?.answer };
      reports.push({ do: kind.name, ...result.fields });
      ({ made } = result);
      draft.add(kind.name, made.claims);
      received = [{ raw: made.pdf }];
      // A result replaces the previous one.
      const moreBytes = made.pdf.length - reservedBytes;
      if (index === steps.length - 1) continue;
      if (moreBytes > 0) {
        input.reserveMemory(moreBytes);
        reservedBytes = made.pdf.length;
      }
      if (loss && !draft.stale.includes(loss.profile)) loss = undefined;
      const profile = loss ? undefined : await lost(made.pdf);
      if (profile !== undefined) loss = { index, profile };
    }
    if (!made) throw new Error('a pipeline has no steps');
    const last = made.pdf;
    const confirmed = await draft.confirm(last).catch(async (error: unknown) => {
      const { index, profile } = loss ?? { index: steps.length - 1, profile: await lost(last) };
      const isGenerated = profile !== undefined && generated.includes(profile);
      const name = steps[index]?.kind.name ?? '';
      throw new LostClaimError(nameResult(error, { name, profile, isGenerated }), index);
    });
    return { made: { ...made, ...confirmed }, reports };
  }

  return {
    async run(pdfs, provenance) {
      const timer = setTimeout(() => deadline.abort(), maxMs);
      try {
        return await run(pdfs, provenance);
      } catch (error) {
        const index = steps.length - waiting.length - 1;
        if (deadline.signal.aborted)
          throw invalid(
            `steps.${index}`,
            `the steps take longer than ${maxMs / 1000} s together. Use several requests`,
          );
        if (error instanceof LostClaimError) throw nameStep(error.cause, error.index);
        throw nameStep(error, index);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel,
  };
}

/** Carries an error about a claim, and the index of the step that made it false. */
class LostClaimError extends Error {
  readonly index: number;

  constructor(cause: unknown, index: number) {
    super('a step made a claim false', { cause });
    this.index = index;
  }
}

/** Names the result of a step in an error about its claims, with an alternative. */
function nameResult(
  error: unknown,
  { name, profile, isGenerated }: { name: string; profile: string | undefined; isGenerated: boolean },
): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [{ message } = error] = error.details;
  return invalid('', `the result ${message}. ${adviceFor(name, isGenerated ? profile : undefined)}`);
}

/**
 * Returns an alternative to a step. `generated` is the lost profile if `generate` made the claim: no step can
 * run before it.
 */
function adviceFor(name: string, generated: string | undefined): string {
  if (generated === undefined) return 'Run this step before the one that makes the claim';
  if (generated !== 'pdfua-1') return 'Leave out this step, or the option of generate that makes the claim';
  return name === 'pdfa' || name === 'invoice'
    ? `Leave out this step, and use generate.options.${name} together with generate.options.accessible`
    : 'Leave out this step, or generate.options.accessible';
}
