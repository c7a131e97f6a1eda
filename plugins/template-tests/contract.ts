import type { Account, FileValue, Listed, Page } from '../../src/plugin.ts';
import type { VersionChoice } from '../templates/contract.ts';

/** The pages of a case that were accepted, as a stored PDF. Times are epoch milliseconds. */
export interface AcceptedPages {
  fileId: string;
  sizeBytes: number;
  pages: number;
  /** The version of the template that made them; `null` if a caller sent the PDF. */
  version: number | null;
  /** The major version of the Chromium that printed them, such as `141`; `null` if it is unknown. */
  chromium: string | null;
  /** The codes and messages of the warnings about the document; `null` if they are unknown. */
  warnings: readonly string[] | null;
  at: number;
}

/** Whether another version of Chromium prints the accepted pages of a case. */
export interface BrowserChange {
  /** The full version before, such as `141.0.7390.122`. */
  from: string;
  to: string;
  status: 'equal' | 'different' | 'failed';
  /** Epoch milliseconds. */
  at: number;
}

/** A case of a template: data and options, and the pages that they should make. */
export interface TemplateCase {
  /** The id of the template and the name, joined by a colon. */
  id: string;
  accountId: string;
  templateId: string;
  name: string;
  /** The JSON text of an object. */
  dataJson: string;
  /** The JSON text of options that apply after the template's options; `null` without options. */
  optionsJson: string | null;
  accepted: AcceptedPages | null;
  /** The file of the accepted pages, for an index. */
  acceptedFileId: string | null;
  /** Absent or `null` until a new browser prints the accepted pages, and when the case changes. */
  browserChange?: BrowserChange | null;
  /** The status of the change, for an index. */
  changeStatus?: BrowserChange['status'] | null;
  /** The last draft whose pages were equal to the accepted ones, or were accepted; `null` for none. */
  passedVersion: number | null;
  /** Increases with each change. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

/** The fields of a case that its author sets. */
export interface CaseInput {
  name: string;
  dataJson: string;
  optionsJson: string | null;
  /** A PDF whose pages become the accepted ones. The accepted pages stay when it is absent. */
  accepted?: FileValue | undefined;
}

/** The state of a case: `new` without accepted pages, `failed` if the document cannot be made. */
export type CaseStatus = 'equal' | 'different' | 'new' | 'failed';

/** The comparison of a page with the accepted page of the same number. */
export interface CheckedPage {
  /** The number of the page, from 1. */
  page: number;
  equal: boolean;
  /** The share of the pixels that differ visibly, from 0 to 1. */
  changedFraction: number;
  /** An image of the page; `null` for a page that the document no longer has, and beyond the limit. */
  imageUrl: string | null;
  /** An image that marks the changes; `null` for an equal or new page, and beyond the limit. */
  diffUrl: string | null;
}

/** A fact of the layout that differs from the accepted pages. */
export interface LayoutFinding {
  /** `null` for a fact of the whole document. */
  page: number | null;
  finding: string;
}

/** The check of one case. */
export interface CheckedCase {
  name: string;
  status: CaseStatus;
  /** Only of a failed case: why its document cannot be made. */
  error?: { code: string; message: string };
  pages: readonly CheckedPage[];
  layout: readonly LayoutFinding[];
}

/** The check of the cases of a template. */
export interface TemplateCheck {
  /** Whether all cases are equal to their accepted pages. */
  passed: boolean;
  /** The checked version; `null` for HTML that is not stored. */
  version: number | null;
  cases: readonly CheckedCase[];
}

/** A request to check cases. */
export interface CheckRequest {
  account: Pick<Account, 'id'>;
  /** The id or the alias of the template. */
  templateId: string;
  /** HTML in place of that of the template. */
  html?: string | undefined;
  /** The version to check: by default the newest, which is the draft if there is one. */
  version?: VersionChoice | undefined;
  /** The names of the cases to check; all by default. */
  names?: readonly string[] | undefined;
  /** Whether the images are marked as those of a test key. */
  isTest?: boolean;
  /** Whether to store images of the pages; true by default. */
  images?: boolean;
  /** Ends the check. */
  signal?: AbortSignal | undefined;
}

/** A list of cases whose pages a new version of the browser changes. */
export interface BrowserChangeQuery extends Page {
  status?: 'different' | 'failed' | undefined;
}

/** An accepted case, and whether it made the draft of its template the current version. */
export interface AcceptedCase {
  case: TemplateCase;
  promoted: boolean;
}

/** The service of the plugin. It treats another account's template as not found. */
export interface TemplateTestsService {
  /**
   * Stores a case, in place of an earlier one of the same name.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR
   */
  put(
    request: { account: Pick<Account, 'id'>; reserveMemory: (bytes: number) => void },
    templateId: string,
    input: CaseInput,
  ): Promise<TemplateCase>;
  /** Lists the cases of a template, newest first. @throws {AppError} NOT_FOUND */
  list(accountId: string, templateId: string, page: Page): Promise<Listed<TemplateCase>>;
  /** Reads a case. @throws {AppError} NOT_FOUND */
  get(accountId: string, templateId: string, name: string): Promise<TemplateCase>;
  /** Deletes a case with its accepted pages. @throws {AppError} NOT_FOUND */
  remove(accountId: string, templateId: string, name: string): Promise<void>;
  /** Deletes all cases of a template that is being deleted. */
  removeAll(templateId: string): Promise<void>;
  /**
   * Renders cases and compares them with their accepted pages. Uses no quota, and records nothing.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR for a template without cases; RATE_LIMITED and UNAVAILABLE
   * when the service cannot render now
   */
  check(request: CheckRequest): Promise<TemplateCheck>;
  /**
   * Lists the cases of all templates of an account whose pages a new version of the browser changes, newest
   * first, without the cases of templates in the trash.
   */
  listBrowserChanges(accountId: string, query: BrowserChangeQuery): Promise<Listed<TemplateCase>>;
  /**
   * Renders a case, and stores its pages as the accepted ones. If the template requires checks and all its
   * cases pass with the draft now, the draft becomes the current version.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR if the document cannot be made; CONFLICT if the case was
   * changed meanwhile
   */
  accept(request: {
    account: Pick<Account, 'id'>;
    templateId: string;
    name: string;
    version?: VersionChoice | undefined;
    isTest?: boolean;
  }): Promise<AcceptedCase>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    'template-tests': TemplateTestsService;
  }
}
