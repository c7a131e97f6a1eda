import type { Static } from '../../src/plugin.ts';
import type { DeliveredGeneration, LinkedGeneration } from '../render/contract.ts';
import { presentEvent } from '../render/exports.ts';
import type { Template } from '../templates/contract.ts';
import type { ActionAnswer, NewGenerations, NewTemplates } from './schemas.ts';

/** Presents an item of the new-generation trigger. */
export function presentNewGeneration(found: LinkedGeneration): Static<typeof NewGenerations>[number] {
  // Poll clients get exactly the fields of docs/spec.md.
  const { warnings: _, ...documented } = presentEvent(found);
  return documented;
}

/** Presents an item of the new-template trigger. */
export function presentNewTemplate(template: Template): Static<typeof NewTemplates>[number] {
  return {
    id: template.id,
    name: template.name,
    version: template.version,
    is_public: template.isPublic,
    created_at: new Date(template.createdAt).toISOString(),
    updated_at: new Date(template.updatedAt).toISOString(),
  };
}

/** Presents the response of the action. */
export function presentAction({ generation, ...pdf }: DeliveredGeneration): Static<typeof ActionAnswer> {
  const { id, pages, sizeBytes } = generation;
  return { id, url: 'url' in pdf ? pdf.url : null, pages, file_size: sizeBytes };
}
