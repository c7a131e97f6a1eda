import type { CollectionSpec } from '../../src/plugin.ts';
import type { Template, TrashedTemplate, VersionFields } from './contract.ts';

/** The HTML or the file of a template and, for a draft, the other fields of its version. It never changes. */
export interface TemplateContent extends Partial<VersionFields> {
  /** The template's id, the SHA-256 of the HTML or file and, for the content of a draft, an id of its own. */
  id: string;
  templateId: string;
  /** Empty for an office file. */
  html: string;
  /** The file of the content; absent for HTML. Several contents of a template can name it. */
  fileId?: string;
  fileHash?: string;
  fileSizeBytes?: number;
}

/**
 * A version before the current one. The records of versions from release 0.1.0 name only the content; the
 * other fields of these versions are unknown.
 */
export interface TemplateVersion extends Partial<VersionFields> {
  /** The template's id and the version number. */
  id: string;
  templateId: string;
  version: number;
  contentId: string;
  /** The revision of the template that had these fields; absent or `null` if they are unknown. */
  revision?: number | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/**
 * Marks contents that a crash may leave without a template, or without a version. They are checked at `dueAt`
 * (epoch milliseconds).
 */
export interface OrphanMark {
  /** The id of the template or content, and the reason. */
  id: string;
  templateId: string;
  /** The only content to check; absent for all contents of the template. */
  contentId?: string;
  dueAt: number;
}

/** All templates. Their HTML is in another collection, which keeps lists cheap. */
export const templates: CollectionSpec<Template> = {
  name: 'templates',
  indexes: [
    // A search reads only the index: SQLite searches 100,000 entries in 5 ms, and takes 60 ms and more to
    // read the documents.
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { isPublic: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { isPublic: 'asc', category: 'asc', createdAt: 'desc', id: 'desc', searchText: 'asc' } },
    { fields: { searchText: 'asc' } },
    { fields: { accountId: 'asc', isPartial: 'asc', name: 'asc' } },
    // Templates without an alias never conflict.
    { fields: { accountId: 'asc', alias: 'asc' }, unique: true },
    // Like a search, a list by tag reads only the index.
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc', tagText: 'asc' } },
    { fields: { unreportedAt: 'asc' } },
  ],
};

/** The HTML of all templates, and the names of their files. */
export const contents: CollectionSpec<TemplateContent> = {
  name: 'template_contents',
  indexes: [{ fields: { templateId: 'asc' } }, { fields: { fileId: 'asc' } }],
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
