import { AppError, invalid, isBlankField } from '../../../src/plugin.ts';
import { resultFields } from '../../files/exports.ts';
import type { PdfFeature } from '../operation.ts';
import { returnsPdf, type PlannedStep } from './order.ts';
import type { PipelineBody } from './schema.ts';
import type { StepKind } from './step-kinds.ts';
import { nameStep } from './step-run.ts';

const SOURCES = ['pdf', 'pdfs', 'file', 'generate'] as const;

/**
 * Returns the field that contains the input of a request. `options` are the names of the fields that need
 * `file`.
 * @throws {AppError} VALIDATION_ERROR unless there is exactly one
 */
export function sourceOf(body: PipelineBody, options: readonly string[]): (typeof SOURCES)[number] {
  const [source, second] = SOURCES.filter((name) => !isBlankField(body[name]));
  if (source === undefined) throw invalid('pdf', 'is required, or pdfs, file or generate');
  if (second !== undefined) throw invalid(second, `cannot be combined with ${source}`);
  const option = options.find((name) => !isBlankField(body[name as keyof PipelineBody]));
  if (source !== 'file' && option !== undefined) throw invalid(option, 'needs file, a document to convert');
  return source;
}

/** Returns the features that options of `generate` add, each with the name of its option. */
export function featuresOf(generate: PipelineBody['generate']): Map<PdfFeature, string> {
  const { pdfa = false, protect, attachments = [], signature, invoice } = generate?.options ?? {};
  const features = new Map<PdfFeature, string>();
  if (pdfa) features.set('pdfa', 'generate.options.pdfa');
  if (invoice) {
    features.set('pdfa', 'generate.options.invoice');
    features.set('invoice', 'generate.options.invoice');
  }
  if (signature) features.set('certificate', 'generate.options.signature');
  if (protect) features.set('encryption', 'generate.options.protect');
  if (attachments.length > 0) features.set('attachments', 'generate.options.attachments');
  return features;
}

/**
 * Validates the steps of a request with the schemas of their operations.
 * @throws {AppError} VALIDATION_ERROR that names the step
 */
export function readSteps(steps: readonly unknown[], kinds: ReadonlyMap<string, StepKind>): PlannedStep[] {
  return steps.map((step, index) => {
    const name = typeof step === 'object' && step !== null && 'do' in step ? step.do : undefined;
    const kind = typeof name === 'string' ? kinds.get(name) : undefined;
    if (!kind) throw invalid(`steps.${index}.do`, `must be one of ${[...kinds.keys()].join(', ')}`);
    if (kind.spec.disabled !== undefined) throw invalid(`steps.${index}.do`, kind.spec.disabled);
    try {
      return { kind, fields: kind.validate(step) };
    } catch (error) {
      throw nameStep(error, index);
    }
  });
}

/**
 * Rejects fields that describe a stored result if the last step does not store a result.
 * @throws {AppError} VALIDATION_ERROR
 */
export function checkResultFields(body: PipelineBody, last: PlannedStep | undefined): void {
  if (!last || returnsPdf(last)) return;
  const { name, resultFields: known } = last.kind;
  const sent = ['output', ...Object.keys(resultFields)].find(
    (field) => !known.has(field) && !isBlankField(body[field as keyof PipelineBody]),
  );
  if (sent !== undefined)
    throw invalid(sent, `cannot be set: the response of the last step, ${name}, does not have it`);
}

/** Names `generate` in an error about its fields. An error of a step stays as it is. */
export function nameGenerate(error: unknown): unknown {
  if (!(error instanceof AppError) || error.details.length === 0) return error;
  const { code, message, cause, retryAfterSeconds } = error;
  const rename = (path: string) => (path.startsWith('steps.') ? path : `generate.${path}`.replace(/\.$/, ''));
  const details = error.details.map((detail) => ({ ...detail, path: rename(detail.path) }));
  const [first] = error.details;
  const namesField = first !== undefined && message.startsWith(`${first.path}: `);
  return new AppError(code, namesField ? rename(message) : message, {
    details,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
