import { invalid } from '../../../src/plugin.ts';
import type { PdfFeature } from '../operation.ts';
import type { StepFields, StepKind } from './step-kinds.ts';

/** A step of a request: its operation and its fields. */
export interface PlannedStep {
  kind: StepKind;
  fields: StepFields;
}

/** The input of the first step. */
export interface PipelineInput {
  /** The number of PDFs in the request; 1 with `generate`. */
  pdfs: number;
  /** Whether the request generates the PDF. */
  generates: boolean;
  /** The features of the generated PDF, with the option that adds each. */
  features: ReadonlyMap<PdfFeature, string>;
}

/**
 * Checks that the steps can follow each other.
 * @throws {AppError} VALIDATION_ERROR that names the step, with the reason and an alternative
 */
export function checkOrder(steps: readonly PlannedStep[], input: PipelineInput): void {
  const added = new Map(input.features);
  for (const [index, step] of steps.entries()) {
    const { kind } = step;
    checkPdfCount(step, index, index === 0 ? input.pdfs : 1);
    const undoes = valueFor(kind.spec.undoes, step.fields) ?? {};
    for (const [feature, source] of added) {
      const reason = undoes[feature] ?? generalReason(feature, step);
      if (reason !== undefined)
        throw invalid(`steps.${index}.do`, `${kind.name} cannot follow ${source}: ${reason}`);
    }
    if (returnsPdf(step)) {
      for (const feature of [valueFor(kind.spec.adds, step.fields) ?? []].flat())
        added.set(feature, `${kind.name} (steps.${index})`);
      continue;
    }
    if (index < steps.length - 1)
      throw invalid(
        `steps.${index}.do`,
        `${kind.name} must be the last step${typeof kind.spec.result === 'function' ? ' with these fields' : ''}: it does not give one PDF for ${steps[index + 1]?.kind.name ?? 'the next step'}`,
      );
    if (input.generates)
      throw invalid(
        `steps.${index}.do`,
        `${kind.name} cannot be a step after generate: the generation needs one PDF as its result. Leave out this step, and send the id of the generation to /v1/pdf/${kind.name}`,
      );
  }
}

/**
 * Returns the reason that a step cannot follow a step that adds a feature, unless its operation declares one.
 */
function generalReason(feature: PdfFeature, step: PlannedStep): string | undefined {
  if (feature === 'encryption') return 'the file is encrypted then. Make protect the last step';
  if (feature !== 'certificate' || step.kind.spec.keepsSignatures || !returnsPdf(step)) return undefined;
  return 'it would invalidate the signature. Make sign the last step';
}

function valueFor<Value extends string | object>(
  value: Value | ((fields: StepFields) => Value | undefined) | undefined,
  fields: StepFields,
): Value | undefined {
  return typeof value === 'function' ? value(fields) : value;
}

export function returnsPdf({ kind, fields }: PlannedStep): boolean {
  return (valueFor(kind.spec.result, fields) ?? 'pdf') === 'pdf';
}

/** Checks that a step gets as many PDFs as it takes: the received ones and its own `pdfs`. */
function checkPdfCount({ kind, fields }: PlannedStep, index: number, received: number): void {
  const { name, takes } = kind;
  const additional = Array.isArray(fields['pdfs']) ? fields['pdfs'].length : 0;
  const total = received + additional;
  if (total > takes.most && takes.most === 1)
    throw invalid(
      `steps.${index}.do`,
      `${name} takes one PDF, and the request has ${received}. Make merge the first step`,
    );
  if (total < takes.least)
    throw invalid(
      `steps.${index}.pdfs`,
      `is required: ${name} takes at least ${takes.least} PDFs and gets ${total}`,
    );
  if (total > takes.most)
    throw invalid(`steps.${index}.pdfs`, `${name} takes at most ${takes.most} PDFs and gets ${total}`);
}
