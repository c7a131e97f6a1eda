import { newId, type Outcome } from '../../../src/plugin.ts';
import { OFFICE_MEDIA_TYPES } from '../../documents/exports.ts';
import { NO_PROPERTIES } from '../../files/exports.ts';
import type { ImageFormat } from '../image/schemas.ts';
import type { ImageMediaType } from './generation-record.ts';
import type { DocumentRequest, Generation, PlannedGeneration, ResultMediaType, Source } from '../contract.ts';

/** Returns the kind of a source, which is also the name of its field in a request. */
export function inputTypeOf(source: Source): Generation['inputType'] {
  if ('templateId' in source) return 'template';
  if ('react' in source) return 'react';
  if ('url' in source) return 'url';
  return 'markdown' in source ? 'markdown' : 'html';
}

/** Returns the media type of an image; of a PNG by default. */
export function imageTypeOf(format: ImageFormat = 'png'): ImageMediaType {
  return format === 'zpl' ? 'application/zpl' : `image/${format}`;
}

/** Returns the media type of the result of a generation. */
export function contentTypeOf({
  contentType = 'application/pdf',
}: Pick<Generation, 'contentType'>): ResultMediaType {
  return contentType;
}

/** Plans the generation of a request, under a new id. */
export function planGeneration({
  source,
  output,
  image,
  type = 'pdf',
  properties = NO_PROPERTIES,
}: DocumentRequest): PlannedGeneration {
  return {
    id: newId('gen_'),
    inputType: inputTypeOf(source),
    templateId: 'templateId' in source ? source.templateId : null,
    output,
    ...(image && { contentType: imageTypeOf(image.format) }),
    ...(type !== 'pdf' && { contentType: OFFICE_MEDIA_TYPES[type] }),
    ...properties,
  };
}

/**
 * Creates the record of a planned generation without results. The caller adds the account, the time and the
 * status.
 */
export function blankGeneration(
  planned: PlannedGeneration,
): Omit<Generation, 'accountId' | 'createdAt' | 'status'> {
  return {
    ...planned,
    fileId: null,
    pages: null,
    sizeBytes: null,
    generationTimeMs: null,
    error: null,
    batchId: null,
    index: null,
    attempts: 0,
  };
}

/**
 * Returns the outcome of one unit of quota. A generation that was not recorded made nothing, and one for a
 * test key does not count.
 */
export function outcomeOf(generation: Pick<Generation, 'status' | 'test'> | null): Outcome {
  const status = generation?.test === true ? undefined : generation?.status;
  return { completed: status === 'completed' ? 1 : 0, failed: status === 'failed' ? 1 : 0 };
}
