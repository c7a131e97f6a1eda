import type { CollectionSpec } from '../../src/plugin.ts';
import type { Position } from './browser-changes.ts';
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
    { fields: { accountId: 'asc', id: 'asc' } },
    { fields: { accountId: 'asc', changeStatus: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
};

/** The version of Chromium with which the service printed last, and the check of the cases with it. */
export interface BrowserState {
  id: string;
  version: string;
  /** The version before; `null` until the version changes. */
  previous: string | null;
  /** Increases with each change of the version. */
  change: number;
  /** Whether cases are still to be checked with this version. */
  isChecking: boolean;
  /** The last case that was checked; `null` before the first. */
  position: Position | null;
  /** How often the check of the next case began. */
  attempts: number;
  /** The numbers of cases with these results. */
  different: number;
  failed: number;
}

/** The one record about the browser, which the replicas share. */
export const browsers: CollectionSpec<BrowserState> = { name: 'template_tests_browsers' };

/** The images of all checks of the last day. */
export const images: CollectionSpec<CheckImages> = {
  name: 'template_tests_images',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'asc', id: 'asc' } }],
};
