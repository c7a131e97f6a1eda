import type { CollectionSpec } from '../../src/plugin.ts';
import type { TemplateCase } from './contract.ts';

/** The images of a check, until they expire. */
export interface CheckImages {
  id: string;
  accountId: string;
  fileIds: readonly string[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** The cases of all templates. */
export const cases: CollectionSpec<TemplateCase> = {
  name: 'template_tests_cases',
  indexes: [
    { fields: { templateId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', createdAt: 'asc', id: 'asc' } },
    { fields: { acceptedFileId: 'asc' } },
  ],
};

/** The images of all checks of the last day. */
export const images: CollectionSpec<CheckImages> = {
  name: 'template_tests_images',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'asc', id: 'asc' } }],
};
