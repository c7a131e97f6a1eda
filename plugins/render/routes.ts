import {
  invalid,
  pageQuery,
  presentPage,
  sendFile,
  Type,
  withExtension,
  type Routes,
  type Static,
} from '../../src/plugin.ts';
import {
  chooseOutput,
  PAGE_IMAGE_ROUTE,
  presentProof,
  ProofResponse,
  proofExample,
} from '../files/exports.ts';
import { OFFICE_MEDIA_TYPES } from '../documents/exports.ts';
import type { TemplateSource } from './../templates/contract.ts';
import type { FilesService } from '../files/contract.ts';
import type { DocumentRequest, Generation, RenderService } from './contract.ts';
import {
  generateExamples,
  generatedExample,
  generationExample,
  listedExample,
  queuedExample,
} from './examples.ts';
import { readCreatedRange } from './generations/created-range.ts';
import { contentTypeOf } from './generations/generation.ts';
import { presentGenerated, presentGeneration, presentListed } from './generations/present.ts';
import { presentReceipt } from './receipt/present.ts';
import {
  GenerateResponse,
  GenerateBody,
  GenerateForm,
  GenerationResponse,
  generationFilters,
  GenerationList,
} from './schemas.ts';
import { readLocale, readSource } from './source/read-source.ts';
import { readTranslations } from './source/read-translations.ts';

/** Maps the routes of docs/internals/spec.md section 4.1 to the service. */
export function mountRoutes(
  routes: Routes,
  {
    render,
    files,
    templates,
  }: {
    render: RenderService;
    files: Pick<FilesService, 'readProperties' | 'sendPageImage'>;
    templates: TemplateSource | undefined;
  },
): void {
  routes.post(
    '/v1/generate',
    {
      scope: 'generate',
      audit: null,
      summary: 'Make a PDF from HTML, a template, a component, Markdown or a URL',
      operationId: 'generatePdf',
      idempotency: 'kept',
      description:
        'Responds when the PDF is stored. With `async`, responds as soon as the request is stored; the PDF is then made exactly once, even if the service restarts. A fault in the document gives 400 with a code in `details`: `TEMPLATE_ERROR`, `COMPONENT_ERROR`, `NAVIGATION_BLOCKED`, `NO_ROOM`, `NOTE_TOO_LONG`, `TOO_MANY_PAGES`, `RENDER_TIMEOUT`, `RENDER_FAILED`, with `options.strict` `ASSET_FAILED` and `SCRIPT_ERROR`, and with `options.accessible` one entry with the CSS path of each element; docs/errors.md explains them. The failed generation is recorded with the same code.',
      body: [
        { kind: 'json', schema: GenerateBody },
        { kind: 'multipart', schema: GenerateForm },
      ],
      worksOnDocument: isWaitedFor,
      usesQuota: true,
      examples: generateExamples,
      response: {
        schema: GenerateResponse,
        example: generatedExample,
        mediaTypes: ['application/pdf', ...Object.values(OFFICE_MEDIA_TYPES)],
        accepted: { description: 'The PDF will be made (`async`)', example: queuedExample },
      },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, body, request, attempt, accept, headers }) => {
      const { data, styles, webhook, type = 'pdf' } = body;
      const mediaType = type === 'pdf' ? 'application/pdf' : OFFICE_MEDIA_TYPES[type];
      const wanted = {
        account,
        attempt,
        ...(type !== 'pdf' && { type }),
        source: readSource(body),
        data,
        locale: readLocale(body),
        translationsJson: await readTranslations(body, { templates }),
        styles,
        options: readOptions(body),
        webhook,
        properties: files.readProperties(body, account, { mediaType }),
      };
      if (!isWaitedFor(body)) {
        const generation = await render.submit({ ...wanted, output: readAsyncOutput(body) });
        accept();
        return presentGenerated({ generation, url: null });
      }
      const output = chooseOutput(request, body.output, mediaType);
      const delivered = await render.generate({ ...wanted, output: output === 'base64' ? 'base64' : 'url' });
      if (delivered.cache) headers.set('Platen-Cache', delivered.cache);
      return output === 'binary' ? sendGenerated(delivered.generation, render) : presentGenerated(delivered);
    },
  );

  routes.get(
    '/v1/generations',
    {
      scope: 'generations',
      summary: 'List generations, newest first',
      operationId: 'listGenerations',
      query: Type.Object({ ...pageQuery(50).properties, ...generationFilters }),
      response: {
        schema: GenerationList,
        example: { data: [listedExample], has_more: false },
      },
    },
    async ({ account, query }) => {
      const { batch_id: batchId, status, input_type: inputType, reference, test } = query;
      const range = readCreatedRange(query);
      const filter = { batchId, status, inputType, reference, templateId: query.template_id, test, ...range };
      return presentPage(query, (page) => render.list(account.id, { ...filter, ...page }), presentListed);
    },
  );

  routes.get(
    '/v1/generations/:id',
    {
      scope: 'generations',
      summary: 'Read one generation',
      operationId: 'getGeneration',
      query: Type.Object({
        receipt: Type.Boolean({
          default: false,
          description:
            'Adds `receipt`: the time of each phase, the loaded resources, and errors. Receipts are kept for 30 days.',
        }),
      }),
      response: { schema: GenerationResponse, example: generationExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query, reserveMemory }) => {
      const found = await render.get(account.id, params.id, reserveMemory);
      const answer = presentGeneration(found);
      if (!query.receipt) return answer;
      const receipt = await render.receipt(found.generation);
      return { ...answer, receipt: receipt && presentReceipt(receipt, found.generation) };
    },
  );

  routes.get(
    '/v1/generations/:id/pages/:n.png',
    { scope: 'generations', ...PAGE_IMAGE_ROUTE, operationId: 'drawGenerationPage' },
    async ({ account, params, query, request, reserveMemory }) =>
      files.sendPageImage({
        request,
        image: params['n.png'],
        widthPx: query.width,
        find: () => render.findPages(account.id, params.id),
        reserveMemory,
      }),
  );

  routes.get(
    '/v1/generations/:id/proof',
    {
      scope: 'generations',
      summary: 'Read what one generation conforms to',
      operationId: 'getGenerationProof',
      description:
        'The claims of the PDF, such as PDF/A, that were checked before it was stored, with the hash of the stored bytes. Kept as long as the generation. The status is 404 for a generation without claims.',
      response: { schema: ProofResponse, example: proofExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) =>
      presentProof(await render.proof(account.id, params.id), `generation ${params.id}`),
  );

  routes.delete(
    '/v1/generations/:id',
    {
      scope: 'generations',
      audit: 'generation.deleted',
      operationId: 'deleteGeneration',
      summary: 'Delete a generation',
      description:
        'Deletes the generation, its PDF, its receipt and its webhook deliveries. Links to the PDF stop working. A generation that is still queued (`async`) is not made, and its unit of quota is returned. One that is being made gives 409. An item of a batch can be deleted once it has ended; the batch then lists it as `deleted` and keeps its counts.',
      response: { status: 204 },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, params }) => render.delete(account.id, params.id),
  );
}

/** Tells whether the caller of a request waits for the result. */
export function isWaitedFor(body: unknown): boolean {
  return (body as { async?: boolean }).async !== true;
}

/** Reads the output of a request with `async`, whose response cannot be the file. */
export function readAsyncOutput({ output = 'url' }: Pick<Static<typeof GenerateBody>, 'output'>) {
  if (output !== 'binary') return output;
  throw invalid('output', 'must be url or base64 with async: the response comes before the file is made');
}

/** Sends the file of a generation as the response. */
export async function sendGenerated(generation: Generation, render: RenderService): Promise<Response> {
  const { id, pages, fileName, generationTimeMs } = generation;
  const mediaType = contentTypeOf(generation);
  const body = await render.readPdf(generation);
  return sendFile(
    { body, mediaType, fileName: fileName ?? withExtension(id, mediaType) },
    {
      'platen-generation-id': id,
      ...(pages !== null && { 'platen-pages': String(pages) }),
      'platen-generation-time-ms': String(generationTimeMs),
      'platen-warnings': String(generation.warnings?.length ?? 0),
    },
  );
}

/** Reads the options. A multipart request can have the header and the footer as parts. */
function readOptions(
  body: Static<typeof GenerateBody> | Static<typeof GenerateForm>,
): DocumentRequest['options'] {
  const options = body.options ?? undefined;
  const parts: Pick<NonNullable<typeof options>, 'header' | 'footer'> = {};
  for (const name of ['header', 'footer'] as const) {
    const html = name in body ? (body as Static<typeof GenerateForm>)[name] : undefined;
    if (html === undefined) continue;
    if (options?.[name] !== undefined) throw invalid(name, `is given both as a part and as options.${name}`);
    parts[name] = html;
  }
  return options === undefined && Object.keys(parts).length === 0 ? undefined : { ...options, ...parts };
}
