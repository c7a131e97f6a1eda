import { invalid, RawJson, Type } from '../../../src/plugin.ts';
import { GenerateOptions } from '../../documents/exports.ts';
import { resultFields } from '../../files/exports.ts';
import type { PdfToolsService, StepDescription } from '../../pdf-tools/contract.ts';
import { defineTool, publishSchema, type Tool } from '../tool.ts';
import { toSelection } from '../pages.ts';
import { parseResult } from '../parse-result.ts';
import { renameFields } from '../rename-fields.ts';
import { DocumentId } from './fields.ts';

/** The operation that stands for the tool of the same name. */
const RENDER = 'render_document';

const MAX_FIELDS = 100;

const Operation = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name of an operation, such as merge, stamp, text or pdfa.',
});

/** Creates the tool that describes the operations on PDFs. */
export function describeOperation({ steps }: PdfToolsService): Tool {
  return defineTool({
    name: 'describe_operation',
    title: 'Describe an operation',
    description: `Without operation, lists the operations of run_pdf_operation. With it, returns the JSON Schema of its fields; with the operation ${RENDER}, that of the options of ${RENDER}. Call it before run_pdf_operation.`,
    scope: 'pdf',
    input: Type.Object({ operation: Type.Optional(Operation) }, { additionalProperties: false }),
    changes: false,
    worksOnDocument: false,
    async run({ operation }) {
      if (operation === undefined)
        return {
          value: {
            operations: availableOf(steps).map(({ name, summary }) => ({ operation: name, summary })),
          },
        };
      if (operation === RENDER) return { value: { operation, options: publishSchema(GenerateOptions) } };
      const step = findStep(steps, operation);
      const { properties, required = [] } = step.schema;
      const { do: _, ...fields } = properties;
      return {
        value: {
          operation,
          summary: step.summary,
          fields: publishSchema(fields),
          required: required.filter((name) => name !== 'do'),
        },
      };
    },
  });
}

/** Creates the tool that runs an operation on a PDF. */
export function runOperation(pdfTools: PdfToolsService): Tool {
  return defineTool({
    name: 'run_pdf_operation',
    title: 'Run an operation on a PDF',
    description:
      'Runs one operation on a stored PDF, such as merge, split, stamp, watermark, text, pdfa or sign, and stores the result as a new file; the original stays. fields are those that describe_operation lists. In fields, other PDFs are ids too: merge takes {"pdfs": ["file_…"]}. Returns the id and a link, or the data that the operation reads.',
    scope: 'pdf',
    input: Type.Object(
      {
        id: DocumentId,
        operation: Operation,
        fields: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            maxProperties: MAX_FIELDS,
            expected: 'an object',
            description: 'The fields of the operation.',
          }),
        ),
        file_name: resultFields.file_name,
        reference: resultFields.reference,
      },
      { additionalProperties: false },
    ),
    changes: true,
    worksOnDocument: true,
    async run({ id, operation, fields = {}, ...properties }, caller) {
      const step = findStep(pdfTools.steps, operation);
      if ('do' in fields) throw invalid('fields.do', 'is not a field: name the operation in operation');
      const { pages } = fields;
      const takesSelection = step.schema.properties['pages']?.['type'] === 'string';
      const selected = takesSelection && pages !== undefined && { pages: toSelection(pages) };
      const body = { pdf: id, steps: [{ ...fields, ...selected, do: operation }], ...properties };
      const made = await pdfTools.deliver(caller, body).catch((error: unknown) => {
        throw renameFields(error, renamed);
      });
      if (made instanceof RawJson)
        return {
          value: parseResult(made, 'operation', 'select fewer pages, such as fields {"pages": "1-5"}'),
        };
      return { value: presentMade(made as Record<string, unknown>) };
    },
  });
}

function availableOf(steps: PdfToolsService['steps']): PdfToolsService['steps'] {
  return steps.filter(({ disabled }) => disabled === undefined);
}

/** @throws {AppError} for an unknown operation, and for one that the operator has switched off */
function findStep(steps: PdfToolsService['steps'], operation: string): StepDescription {
  const step = steps.find(({ name }) => name === operation);
  if (!step)
    throw invalid(
      'operation',
      `must be one of ${availableOf(steps)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  if (step.disabled !== undefined) throw invalid('operation', `${operation} is off: ${step.disabled}`);
  return step;
}

/** Names a stored result by `id`, as all tools do. */
function presentMade({ file_id: id, ...rest }: Record<string, unknown>): object {
  return id === undefined ? rest : { id, ...rest };
}

/**
 * Names the arguments of the tool in a path or a message about a step. The step's own field `do` is not one
 * of them.
 */
function renamed(text: string): string {
  return text
    .replace(/^steps\.0\.do\b/, 'operation')
    .replace(/^steps\.0\.pdf\b/, 'id')
    .replace(/^steps\.0\.(?=\w)/, 'fields.')
    .replace(/^steps\.0\b/, 'operation')
    .replace(/^pdf:/, 'id:')
    .replace('valid fields are do, ', 'valid fields are ');
}
