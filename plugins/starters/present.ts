import type { Static } from '../../src/plugin.ts';
import type { Template } from '../templates/contract.ts';
import type { Starter } from './contract.ts';
import type { CloneResponse, StarterResponse, StarterList } from './schemas.ts';

export function presentListed(starter: Starter): Static<typeof StarterList>['data'][number] {
  const { slug, name, description, category, file, sampleData } = starter;
  return {
    slug,
    name,
    description,
    category,
    ...(file && { format: file.format }),
    sample_data: sampleData,
  };
}

/** Presents a starter with its HTML or file. */
export function presentStarter(starter: Starter): Static<typeof StarterResponse> {
  const { html, file, schema, options, translations, cases } = starter;
  return {
    ...presentListed(starter),
    html_content: file ? null : html,
    ...(file && { file: Buffer.from(file.bytes).toString('base64') }),
    schema,
    options,
    ...(translations && { translations: translations.messages }),
    ...(translations?.defaultLocale !== undefined && { default_locale: translations.defaultLocale }),
    cases: cases.map(({ name, data }) => ({ name, data })),
  };
}

/** Presents a template that was cloned from a starter, with the names of its cases. */
export function presentClone(
  { id, name, version, createdAt }: Template,
  cases: string[],
): Static<typeof CloneResponse> {
  return { id, name, version, created_at: new Date(createdAt).toISOString(), cases };
}
