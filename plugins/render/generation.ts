import { newId } from '../../src/plugin.ts';
import type { DocumentRequest, Generation, PlannedGeneration } from './contract.ts';

/** Makes a new id for what is to be made from a request, and says what it is made from. */
export function planGeneration({ source, output }: DocumentRequest): PlannedGeneration {
  return {
    id: newId('gen_'),
    inputType: 'react' in source ? 'react' : 'templateId' in source ? 'template' : 'html',
    templateId: 'templateId' in source ? source.templateId : null,
    output,
  };
}

/** Makes a record of a planned generation of which nothing is done; owner and time are still to be filled in. */
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
