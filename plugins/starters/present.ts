import type { Static } from '../../src/plugin.ts';
import type { Template } from '../templates/contract.ts';
import type { Starter } from './contract.ts';
import type { CloneAnswer, StarterAnswer, StarterList } from './schemas.ts';

/** Presents a starter in a list. */
export function presentListed(starter: Starter): Static<typeof StarterList>['data'][number] {
  const { slug, name, description, category, sampleData } = starter;
  return { slug, name, description, category, sample_data: sampleData };
}

/** Presents a starter with its HTML. */
export function presentStarter(starter: Starter): Static<typeof StarterAnswer> {
  const { html, schema, options } = starter;
  return { ...presentListed(starter), html_content: html, schema, options };
}

/** Presents a template that was cloned from a starter. */
export function presentClone({ id, name, version, createdAt }: Template): Static<typeof CloneAnswer> {
  return { id, name, version, created_at: new Date(createdAt).toISOString() };
}
