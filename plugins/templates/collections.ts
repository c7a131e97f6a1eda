import type { CollectionSpec } from '../../src/plugin.ts';
import type { Template, TrashedTemplate } from './contract.ts';

/** The HTML of a template, keyed by its hash. It never changes, so storing it twice is harmless. */
export interface TemplateContent {
  /** The template's id and the SHA-256 of the HTML. */
  id: string;
  templateId: string;
  html: string;
}

/** The content of a version before the current one. It never changes. */
export interface TemplateVersion {
  /** The template's id and the version number. */
  id: string;
  templateId: string;
  version: number;
  contentId: string;
  /** Epoch milliseconds; absent for a version that was created before these times were stored. */
  createdAt?: number | null;
}

/** Marks contents that a crash may leave without a template. They are checked at `dueAt` (epoch milliseconds). */
export interface OrphanMark {
  /** The template's id and the reason. */
  id: string;
  templateId: string;
  dueAt: number;
}

/** All templates. Their HTML is in another collection, which keeps lists cheap. */
export const templates: CollectionSpec<Template> = {
  name: 'templates',
  indexes: [
    // A search reads only the index: SQLite searches 100,000 entries in 5 ms, and takes 60 ms and more to read the documents.
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { isPublic: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { isPublic: 'asc', category: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { searchText: 'asc' } },
    { fields: { accountId: 'asc', isPartial: 'asc', name: 'asc' } },
  ],
};

/** The HTML of all templates. */
export const contents: CollectionSpec<TemplateContent> = {
  name: 'template_contents',
  indexes: [{ fields: { templateId: 'asc' } }],
};

/** The versions before the current one of each template. */
export const versions: CollectionSpec<TemplateVersion> = {
  name: 'template_versions',
  indexes: [{ fields: { templateId: 'asc', version: 'asc' }, unique: true }],
};

/** Contents that may be orphans. */
export const orphanMarks: CollectionSpec<OrphanMark> = {
  name: 'template_marks',
  usesReserve: true,
  indexes: [{ fields: { dueAt: 'asc' } }],
};

/** The trash of all accounts. */
export const trash: CollectionSpec<TrashedTemplate> = {
  name: 'template_trash',
  usesReserve: true,
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { expiresAt: 'asc' } },
  ],
};
