import { type Static } from '../../../src/plugin.ts';
import { presentResultProperties } from '../../files/exports.ts';
import { contentTypeOf } from './generation.ts';
import type { DeliveredGeneration, Generation, LinkedGeneration } from '../contract.ts';
import type { Warning } from '../receipt/warnings.ts';
import type { ImageResponse } from '../image/schemas.ts';
import type { GenerateResponse, GenerationResponse, GenerationList } from '../schemas.ts';

type Listed = Static<typeof GenerationList>['data'][number];

/** Presents the response of `POST /v1/generate`. */
export function presentGenerated({
  generation,
  ...pdf
}: DeliveredGeneration): Static<typeof GenerateResponse> {
  const { id, status, pages, sizeBytes, generationTimeMs } = generation;
  return {
    id,
    status,
    ...pdf,
    pages,
    file_size: sizeBytes,
    generation_time_ms: generationTimeMs,
    ...presentResultProperties(generation),
    warnings: presentWarnings(generation),
  };
}

/** Presents the warnings of a generation. A generation without a result has no warnings. */
export function presentWarnings({ warnings = [] }: Generation): Warning[] {
  return warnings.map(({ code, message, path }) => ({ code, message, path }));
}

/** Presents the response of `POST /v1/images`. */
export function presentImage(delivered: DeliveredGeneration): Static<typeof ImageResponse> {
  const { pages: _, ...answer } = presentGenerated(delivered);
  return { ...answer, content_type: contentTypeOf(delivered.generation) };
}

/** Presents the response of `GET /v1/generations/:id`. */
export function presentGeneration({
  generation,
  ...pdf
}: DeliveredGeneration): Static<typeof GenerationResponse> {
  return {
    ...presentRecord(generation),
    ...pdf,
    error: generation.error,
    warnings: presentWarnings(generation),
  };
}

/** Presents an item of `GET /v1/generations`: always with a link, without the error. */
export function presentListed({ generation, url }: LinkedGeneration): Listed {
  return { ...presentRecord(generation), url };
}

/** Returns the type of the event of an ended generation. */
export function eventOf({ status }: Generation) {
  return status === 'completed' ? ('generation.completed' as const) : ('generation.failed' as const);
}

/** Presents the data of a webhook: always with a link, with the error. */
export function presentEvent({
  generation,
  url,
}: LinkedGeneration): Listed & { error: string | null; warnings: Warning[] } {
  const warnings = presentWarnings(generation);
  return { ...presentRecord(generation), url, error: generation.error, warnings };
}

/** Presents the fields that all responses have in common. */
export function presentRecord(generation: Generation): Omit<Listed, 'url'> {
  const { batchId, index } = generation;
  return {
    id: generation.id,
    template_id: generation.templateId,
    input_type: generation.inputType,
    content_type: contentTypeOf(generation),
    status: generation.status,
    pages: generation.pages,
    file_size: generation.sizeBytes,
    generation_time_ms: generation.generationTimeMs,
    created_at: new Date(generation.createdAt).toISOString(),
    ...(batchId !== null && index !== null && { batch_id: batchId, index }),
    ...presentResultProperties(generation),
  };
}
