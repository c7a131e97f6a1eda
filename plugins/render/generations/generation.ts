import { newId, NO_PROPERTIES } from '../../../src/plugin.ts';
import type { DocumentRequest, Generation, PlannedGeneration, Source } from '../contract.ts';

/** Returns the kind of a source, which is also the name of its field in a request. */
export function inputTypeOf(source: Source): Generation['inputType'] {
  if ('templateId' in source) return 'template';
  if ('react' in source) return 'react';
  if ('url' in source) return 'url';
  return 'markdown' in source ? 'markdown' : 'html';
}

/** Plans the generation of a request, under a new id. */
export function planGeneration({
  source,
  output,
  properties = NO_PROPERTIES,
}: DocumentRequest): PlannedGeneration {
  return {
    id: newId('gen_'),
    inputType: inputTypeOf(source),
    templateId: 'templateId' in source ? source.templateId : null,
    output,
    ...properties,
  };
}

/** Creates the record of a planned generation without results. The caller adds the account, the time and the status. */
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
