import type { Static } from '../../src/plugin.ts';
import { presentEvent, type Generation } from '../render/contract.ts';
import type { Template } from '../templates/contract.ts';
import type { ActionAnswer, NewGenerations, NewTemplates } from './schemas.ts';

/** Presents an item of the new-generation trigger. */
export function presentNewGeneration(
  generation: Generation,
  url: string | null,
): Static<typeof NewGenerations>[number] {
  return presentEvent(generation, url);
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
export function presentAction(
  { id, pages, sizeBytes }: Generation,
  url: string | null,
): Static<typeof ActionAnswer> {
  return { id, url, pages, file_size: sizeBytes };
}
