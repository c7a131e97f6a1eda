import type { CollectionSpec } from '../../src/plugin.ts';
import type { Template } from './contract.ts';

/** The HTML of a template under the hash of it. It never changes, so whoever stores it again stores the same. */
export interface TemplateContent {
  /** The template's id and the SHA-256 of the HTML. */
  id: string;
  templateId: string;
  html: string;
}

/** Says which content a version that is no longer the current one had. It never changes either. */
export interface TemplateVersion {
  /** The template's id and the number. */
  id: string;
  templateId: string;
  version: number;
  contentId: string;
}

/** Says that contents may be left without their template, and when that is to be looked at (epoch milliseconds). */
export interface SweepMark {
  /** The template's id and why. */
  id: string;
  templateId: string;
  dueAt: number;
}

/** Every template without its HTML, so that lists read little: by account and age, and the public ones by age, also of one category. */
export const templates: CollectionSpec<Template> = {
  name: 'templates',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { isPublic: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { isPublic: 'asc', category: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
};

/** The HTML of all templates. */
export const contents: CollectionSpec<TemplateContent> = {
  name: 'template_contents',
  indexes: [{ fields: { templateId: 'asc' } }],
};

/** The versions before the current one. */
export const versions: CollectionSpec<TemplateVersion> = {
  name: 'template_versions',
  indexes: [{ fields: { templateId: 'asc', version: 'asc' }, unique: true }],
};

/** What a sweep will look at. */
export const marks: CollectionSpec<SweepMark> = {
  name: 'template_marks',
  indexes: [{ fields: { dueAt: 'asc' } }],
};
