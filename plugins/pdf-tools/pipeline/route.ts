import { AppError, isRawFile, jsonOrMultipart, type Routes } from '../../../src/plugin.ts';
import { chooseOutput } from '../../files/exports.ts';
import { readConversion } from '../../documents/exports.ts';
import type { OfficeService } from '../../office/contract.ts';
import { fileExample, samplePdf } from '../examples.ts';
import type { PdfToolsService } from '../contract.ts';
import type { Operation, OperationContext, OperationInput } from '../operation.ts';
import { inputOf } from './caller-input.ts';
import { checkOrder } from './order.ts';
import { checkResultFields, nameGenerate, featuresOf, readSteps, sourceOf } from './read-steps.ts';
import { startSteps, type StepReport, type WaitingSteps } from './run-steps.ts';
import { pipelineResponse, pipelineBody, type PipelineBody } from './schema.ts';
import { stepKindsOf } from './step-kinds.ts';

/** The limit of `POST /v1/pdf/merge`. */
const MAX_BODY_BYTES = 150_000_000;

const pipelineExample = {
  ...fileExample,
  pages: 2,
  steps: [{ do: 'merge' }, { do: 'stamp' }, { do: 'pdfa', pdfa: true, level: '1b' }],
};

/** The pipeline for other plugins. */
type Pipeline = Pick<PdfToolsService, 'deliver' | 'steps'>;

/** Registers `POST /v1/pdf/pipeline`, whose steps are the operations that declare `step`. */
export function mountPipeline(
  routes: Routes,
  {
    operations,
    office,
    ...context
  }: Omit<OperationContext, 'routes'> & {
    operations: readonly Operation[];
    /** Absent when the plugin `office` is off. */
    office: OfficeService | undefined;
  },
): Pipeline {
  const { files, render, prove, readClaims } = context;
  const kinds = stepKindsOf(operations, { ...context, routes });
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const mediaTypes = [...new Set(kinds.flatMap((kind) => kind.mediaTypes))];

  routes.post(
    '/v1/pdf/pipeline',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Run several operations on a PDF',
      operationId: 'runPdfPipeline',
      idempotency: 'kept',
      description:
        'Takes a PDF, several PDFs, an office document (`file`, with the options of `POST /v1/pdf/convert` beside it), or a document to generate, and runs the steps in order. The response has the result of the last step, and only this result is stored. An error names the step by its index, from 0: `steps.2.opacity`. With `generate`, the generation is recorded and counts against the quota like one of `POST /v1/generate`; the API key also needs the scope `generate`.',
      body: jsonOrMultipart(pipelineBody(kinds)),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      usesQuota: true,
      examples: {
        'merge, stamp and archive': {
          pdfs: [samplePdf, samplePdf],
          steps: [{ do: 'merge' }, { do: 'stamp', text: 'PAID', position: 'top-right' }, { do: 'pdfa' }],
        },
        'generate and watermark': {
          generate: { html: '<h1>Offer</h1>' },
          steps: [{ do: 'watermark', text: 'Draft' }],
          output: 'base64',
        },
      },
      response: { schema: pipelineResponse(kinds), example: pipelineExample, mediaTypes },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND', 'NOT_IMPLEMENTED', 'NOT_CONFIGURED'],
    },
    (input) => run(input),
  );

  async function run(input: OperationInput<PipelineBody>): Promise<unknown> {
    const { account, body } = input;
    if (body.generate) input.requireScope('generate');
    const source = sourceOf(body);
    const steps = readSteps(body.steps, byName);
    checkOrder(steps, {
      pdfs: source === 'pdfs' ? (body.pdfs?.length ?? 1) : 1,
      generates: source === 'generate',
      features: featuresOf(body.generate),
    });
    checkResultFields(body, steps.at(-1));
    files.readProperties(body, account);
    const outlivesCaller = body.generate?.webhook !== undefined;
    const waiting = await startSteps(steps, { input, files, prove, readClaims, outlivesCaller });
    try {
      if (body.generate) return await generate(input, body.generate, waiting);
      const result = await waiting.run(await load(input, source));
      if ('answer' in result) return result.answer;
      const { made, reports } = result;
      const fields = { pages: made.pages, steps: reports };
      return await files.deliver(input, { operation: 'pipeline', ...made, fields });
    } finally {
      waiting.cancel();
    }
  }

  /** Returns the PDFs of a request, or the PDF that its document becomes. */
  async function load(
    input: OperationInput<PipelineBody>,
    source: ReturnType<typeof sourceOf>,
  ): Promise<Awaited<ReturnType<typeof files.loadAll>>> {
    const { account, body, signal } = input;
    const { pdf = '', pdfs = [] } = body;
    if (source === 'pdfs') return files.loadAll({ ...input, body: { ...body, pdfs } });
    if (source !== 'file' || body.file === undefined)
      return [await files.load({ ...input, body: { ...body, pdf } })];
    if (!office) throw new AppError('NOT_IMPLEMENTED', 'file needs the plugin "office", which is off');
    const file = await files.loadDocument(input, 'file', body.file);
    const fileName = isRawFile(file) ? file.fileName : undefined;
    const { file_type: fileType, password } = body;
    const options = readConversion(body);
    const converted = await office.convertInput({
      account,
      file,
      fileName,
      fileType,
      password,
      options,
      signal,
    });
    return [{ raw: converted.pdf }];
  }

  /** Generates the PDF and runs the steps before it is stored. */
  async function generate(
    { account, body, request, attempt }: OperationInput<PipelineBody>,
    fields: NonNullable<PipelineBody['generate']>,
    waiting: WaitingSteps,
  ): Promise<unknown> {
    if (!render) throw new AppError('NOT_IMPLEMENTED', 'generate needs the plugin "render", which is off');
    // Imported only when the plugin is on.
    const { presentGenerated, readSource, sendGenerated } = await import('../../render/exports.ts');
    const output = chooseOutput(request, body.output, 'application/pdf');
    let steps: StepReport[] = [];
    try {
      const delivered = await render.generate({
        account,
        attempt,
        source: readSource(fields),
        data: fields.data,
        styles: fields.styles,
        options: fields.options ?? undefined,
        output: output === 'base64' ? 'base64' : 'url',
        webhook: fields.webhook,
        properties: files.readProperties(body, account),
        async finish({ pdf, claims = [], steps: generationSteps = [] }) {
          const result = await waiting.run([{ raw: pdf }], { claims, steps: generationSteps });
          if ('answer' in result) throw new Error('the last step after generate gave no PDF');
          steps = result.reports;
          return files.markResult(result.made);
        },
      });
      if (output === 'binary') return await sendGenerated(delivered.generation, render);
      return { ...presentGenerated(delivered), steps };
    } catch (error) {
      throw nameGenerate(error);
    }
  }

  return {
    steps: kinds.map(({ name, summary, schema, spec: { disabled } }) => ({
      name,
      summary,
      schema,
      ...(disabled !== undefined && { disabled }),
    })),
    deliver: (caller, body) => run({ ...inputOf(caller), body }),
  };
}
