import { Type, WebhookUrl, type Static, type TSchema } from '../../../src/plugin.ts';
import { pdfResponseProperties, OutputChoice, PdfInput, resultFields } from '../../files/exports.ts';
import { documentFields } from '../../documents/exports.ts';
import type { conversionFields } from '../../office/exports.ts';
import type { StepKind } from './step-kinds.ts';

const MAX_PDFS = 500;
const MAX_STEPS = 20;

const { output: _, ...generated } = documentFields;

/** Fields of a generate request that belong to the pipeline request instead. */
const moved = Object.fromEntries(
  ['output', ...Object.keys(resultFields)].map((name) => [
    name,
    Type.Optional(
      Type.Never({
        expected: `absent: send ${name} in the request itself, because the pipeline has one result`,
        description: 'Not allowed here. Send it as a field of the request.',
      }),
    ),
  ]),
);

const GenerateInput = Type.Object(
  { ...generated, webhook: Type.Optional(WebhookUrl), ...moved },
  {
    additionalProperties: false,
    title: 'PipelineGenerate',
    description:
      'A document to generate, with the fields of `POST /v1/generate` except `output`, `file_name`, `reference`, `metadata` and `expires_in`.',
  },
);

/** The fields of a document to convert. */
export type ConversionFields = typeof conversionFields;

/** Makes the document optional. Without the plugin `office`, requests have none of its fields. */
function optional(conversion: ConversionFields | undefined) {
  const fields = conversion && { ...conversion, file: Type.Optional(conversion.file) };
  return (fields ?? {}) as NonNullable<typeof fields>;
}

/**
 * Creates the schema of `POST /v1/pdf/pipeline`. Each step is validated later, with the schema of its
 * operation.
 */
export function pipelineBody(kinds: readonly StepKind[], conversion: ConversionFields | undefined) {
  return Type.Object(
    {
      pdf: Type.Optional(PdfInput),
      ...optional(conversion),
      pdfs: Type.Optional(
        Type.Array(PdfInput, {
          maxItems: MAX_PDFS,
          expected: `a list of at most ${MAX_PDFS} PDFs`,
          description: 'Several PDFs, for a first step that takes several, such as merge.',
        }),
      ),
      generate: Type.Optional(GenerateInput),
      steps: Type.Array(anyStep(kinds), {
        minItems: 1,
        maxItems: MAX_STEPS,
        expected: `a list of 1 to ${MAX_STEPS} steps`,
        description:
          'The operations, in order. Each takes the result of the previous one. `do` names the operation; the other fields are the fields of its route.',
      }),
      output: OutputChoice,
      ...resultFields,
    },
    { additionalProperties: false, title: 'PipelineRequest' },
  );
}

/** The body of `POST /v1/pdf/pipeline`. */
export type PipelineBody = Static<ReturnType<typeof pipelineBody>>;

/**
 * Creates a schema that accepts any value and documents the steps. An error of a union would name the fields
 * of the wrong operation.
 */
function anyStep(kinds: readonly StepKind[]) {
  return Type.Unknown({
    anyOf: kinds.map(({ schema }) => schema),
    title: 'PipelineStep',
    discriminator: {
      propertyName: 'do',
      mapping: Object.fromEntries(
        kinds.map(({ name, schema }) => [name, `#/components/schemas/${schema.title}`]),
      ),
    },
  });
}

/** The response of `POST /v1/pdf/pipeline` with a PDF. */
const PipelineResponse = Type.Object(
  {
    ...pdfResponseProperties,
    file_id: Type.Optional(pdfResponseProperties.file_id),
    pages: Type.Integer(),
    id: Type.Optional(
      Type.String({ description: 'The id of the generation, with `generate`, in place of `file_id`.' }),
    ),
    status: Type.Optional(Type.Literal('completed', { description: 'Present with `generate`.' })),
    generation_time_ms: Type.Optional(Type.Integer({ description: 'Present with `generate`.' })),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String(),
          message: Type.String(),
          path: Type.Union([Type.String(), Type.Null()]),
        }),
        { description: 'Present with `generate`, as in its own response.' },
      ),
    ),
    steps: Type.Array(Type.Object({ do: Type.String() }, { additionalProperties: true }), {
      description: 'For each step, its operation and the additional fields of its response, such as `pdfa`.',
    }),
  },
  { title: 'PipelineResult' },
);

/** Creates the schema of the response: the PDF, or the response of the last step. */
export function pipelineResponse(kinds: readonly StepKind[]): TSchema {
  const others = kinds.flatMap(({ spec, answer }) => (spec.result !== undefined && answer ? [answer] : []));
  return Type.Union([PipelineResponse, ...others], { title: 'PipelineResponse' });
}
