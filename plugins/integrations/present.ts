import type { Static } from '../../src/plugin.ts';
import type { DeliveredGeneration, LinkedGeneration } from '../render/contract.ts';
import { presentEvent } from '../render/exports.ts';
import type { Template } from '../templates/contract.ts';
import type { ActionResponse, NewGenerations, NewTemplates } from './schemas.ts';

/**
 * Presents an item of the new-generation trigger. Each field is named here, so that a new field of
 * generations does not reach the platforms.
 */
export function presentNewGeneration(found: LinkedGeneration): Static<typeof NewGenerations>[number] {
  const event = presentEvent(found);
  return {
    id: event.id,
    template_id: event.template_id,
    input_type: event.input_type,
    content_type: event.content_type,
    status: event.status,
    url: event.url,
    pages: event.pages,
    file_size: event.file_size,
    generation_time_ms: event.generation_time_ms,
    error: event.error,
    created_at: event.created_at,
    file_name: event.file_name,
    reference: event.reference,
    metadata: event.metadata,
    expires_at: event.expires_at,
    ...(event.batch_id !== undefined && { batch_id: event.batch_id, index: event.index }),
  };
}

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

export function presentAction({ generation, ...pdf }: DeliveredGeneration): Static<typeof ActionResponse> {
  const { id, pages, sizeBytes } = generation;
  return { id, url: 'url' in pdf ? pdf.url : null, pages, file_size: sizeBytes };
}
