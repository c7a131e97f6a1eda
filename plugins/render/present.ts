import type { Static } from '../../src/plugin.ts';
import type { Generation, RenderService } from './contract.ts';
import type { GenerateAnswer, GenerationAnswer, GenerationList } from './schemas.ts';

type Listed = Static<typeof GenerationList>['data'][number];

/** The answer of `POST /v1/generate`. */
export async function presentGenerated(
  generation: Generation,
  render: RenderService,
): Promise<Static<typeof GenerateAnswer>> {
  const { id, status, pages, sizeBytes, generationTimeMs } = generation;
  return {
    id,
    status,
    ...(await result(generation, render)),
    pages,
    file_size: sizeBytes,
    generation_time_ms: generationTimeMs,
  };
}

/** One generation with its error, and with `data` in place of `url` when base64 was asked for. */
export async function presentGeneration(
  generation: Generation,
  render: RenderService,
): Promise<Static<typeof GenerationAnswer>> {
  const { url: _, ...listed } = await presentListed(generation, render);
  return { ...listed, ...(await result(generation, render)), error: generation.error };
}

/** A generation in a list: without `error`, always with `url`. */
export async function presentListed(generation: Generation, render: RenderService): Promise<Listed> {
  return withUrl(generation, await render.link(generation));
}

/** A generation in the body of a webhook: with its error and the link that is given, never with the PDF. */
export function presentEvent(generation: Generation, url: string | null): Listed & { error: string | null } {
  return { ...withUrl(generation, url), error: generation.error };
}

function withUrl(generation: Generation, url: string | null): Listed {
  return {
    id: generation.id,
    template_id: generation.templateId,
    input_type: generation.inputType,
    status: generation.status,
    url,
    pages: generation.pages,
    file_size: generation.sizeBytes,
    generation_time_ms: generation.generationTimeMs,
    created_at: new Date(generation.createdAt).toISOString(),
  };
}

async function result(
  generation: Generation,
  render: RenderService,
): Promise<{ url?: string | null; data?: Uint8Array }> {
  if (generation.output === 'base64' && generation.status === 'completed')
    return { data: await render.readPdf(generation) };
  return { url: await render.link(generation) };
}
