import type { OfficeFormat } from '@platen/office-templates';
import type { DataFault, VariableSchema, VariableType } from '@platen/templates/check-data';
import type { FileValue, RawJson, TaskResult, Listed, Page, Webhooks } from '../../src/plugin.ts';
import type { Category, GenerateOptions } from '../documents/contract.ts';

export type { DataFault, VariableSchema, VariableType };

/** The format of a template: HTML, or a file of an office program. */
export type TemplateFormat = 'html' | OfficeFormat;

/** The file of a template that is not HTML. It never changes. */
export interface TemplateFile {
  fileId: string;
  /** The SHA-256 of its bytes in hexadecimal digits. */
  hash: string;
  sizeBytes: number;
}

/** The content of a template: HTML, or a file, with which `html` is empty. */
export interface TemplateBody {
  html: string;
  file?: TemplateFile | undefined;
}

/** A file for a template, and its format. It is stored already. */
export interface UploadedTemplateFile extends TemplateFile {
  format: OfficeFormat;
}

/** The fields of a template that its author sets. */
export interface TemplateInput {
  name: string;
  /** Empty with `file`. */
  html: string;
  file?: UploadedTemplateFile | undefined;
  schema: VariableSchema;
  category: Category;
  /**
   * The options of `POST /v1/generate` that the template is designed for, as JSON text, which lists do not
   * parse; absent or `null` for none.
   */
  optionsJson?: string | null;
  /** Sample values for the variables, as the JSON text of an object; absent or `null` for none. */
  sampleDataJson?: string | null;
  /** See `VersionFields`. */
  translationsJson?: string | null;
  /** Whether the account's templates can call it as `{{> name}}`; `false` when absent. */
  isPartial?: boolean;
  /** A name of the account's choice, which stands for the id; absent or `null` for none. */
  alias?: string | null;
  /** Words by which lists are filtered. */
  tags?: readonly string[];
  /** Whether a new version becomes current only if its cases pass; `false` when absent. */
  requireChecks?: boolean;
}

/** The fields of a version beside its HTML; see `TemplateInput`. */
export interface VersionFields {
  schema: VariableSchema;
  optionsJson?: string | null;
  sampleDataJson?: string | null;
  /** The `Translations` of `@platen/templates` as JSON text; absent or `null` for none. */
  translationsJson?: string | null;
}

/** The fields of a draft to change. */
export interface DraftChange extends Partial<VersionFields> {
  html?: string;
  file?: UploadedTemplateFile | undefined;
}

/** A version that is stored and not current. Its HTML and fields are in its content. */
export interface TemplateDraft {
  /** Greater than every earlier number of the template, and never used again. */
  version: number;
  /** The id of its content, which nothing else names until the draft is current. */
  contentId: string;
  /** The `revision` of the template that the draft made. */
  revision: number;
  createdAt: number;
}

/** The events of a template that are not stored yet. */
type UnreportedEvents = Partial<ReturnType<ReturnType<Webhooks['listOutbox']>['note']>>;

/** A template as it is stored, with the fields of its current version. Times are epoch milliseconds. */
export interface Template extends VersionFields, UnreportedEvents {
  id: string;
  accountId: string;
  name: string;
  category: Category;
  /** Absent for HTML. All versions have the same format. */
  format?: OfficeFormat;
  isPartial: boolean;
  /** Unique among the templates of the account; absent or `null` for none. */
  alias?: string | null;
  /** Absent for none. */
  tags?: readonly string[];
  /** The tags as a text that lists search; see `tagTextOf`. */
  tagText?: string | null;
  /** The current version. Starts at 1 and increases with each change of the HTML. */
  version: number;
  /** The greatest number that a version has had; absent while drafts have taken none. */
  lastVersion?: number;
  /** Increases when the current version or the draft changes; absent or `null` for 0. */
  revision?: number | null;
  /** Absent or `null` for none. */
  draft?: TemplateDraft | null;
  /** The id of the current version's content. */
  contentId: string;
  /** When the current version was created; absent for the first. */
  versionCreatedAt?: number;
  isPublic: boolean;
  /** See `TemplateInput.requireChecks`; absent or `null` for `false`. */
  requireChecks?: boolean | null;
  /** The text that lists search (`search.ts`); absent or `null` until it is stored. */
  searchText?: string | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * A template with the requested version: `version`, `html` and the `VersionFields` are of that version; all
 * other fields are current.
 */
export interface TemplateWithHtml extends Template, TemplateBody {
  currentVersion: number;
  /** The check that decided whether the version became current; only after a change that was checked. */
  check?: VersionCheck;
}

/** The result of the check of a version that is not current yet. */
export interface VersionCheck {
  passed: boolean;
  cases: readonly { name: string; status: string }[];
  /** Notes that the version is stored as a draft with this number. */
  noteDraft(version: number): Promise<void>;
}

/**
 * Checks a version before it becomes current. Returns `null` for a template without cases, whose versions all
 * become current.
 * @throws {AppError} if the version cannot be checked now
 */
export type CheckVersion = (candidate: TemplateWithHtml) => Promise<VersionCheck | null>;

/** The number of a version, or the draft, whatever its number. */
export type VersionChoice = number | 'draft';

/** A version of a template. */
export interface VersionInfo {
  version: number;
  /** Epoch milliseconds. */
  createdAt: number;
  isCurrent: boolean;
  isDraft: boolean;
}

/** Provides templates to plugins that make documents from them. */
export interface TemplateSource {
  /**
   * Returns the id of the account's template with an alias, and any other text unchanged. Without it,
   * templates have no aliases.
   */
  resolveAlias?(accountId: string, idOrAlias: string): Promise<string>;
  /**
   * Finds the current or the given version of an account's template by id or alias; `null` when it does not
   * exist.
   */
  find(
    accountId: string,
    id: string,
    version?: VersionChoice,
  ): Promise<Pick<
    TemplateWithHtml,
    'html' | 'file' | 'schema' | 'version' | 'optionsJson' | 'translationsJson'
  > | null>;
  /**
   * Finds the format of an account's template by its id; `null` when it does not exist. Without it, all
   * templates are HTML.
   */
  formatOf?(accountId: string, id: string): Promise<TemplateFormat | null>;
  /** Reads the file of a template; `null` when the template or the draft was just deleted. */
  readFile?(file: TemplateFile): Promise<Uint8Array | null>;
  /**
   * Lists the variables of the schema that are missing from the data or have another type.
   * @throws {AppError} VALIDATION_ERROR for `data` when it cannot be parsed in time; RATE_LIMITED when too
   * many tasks are waiting.
   */
  checkData(schema: VariableSchema, data: RawJson): Promise<readonly DataFault[]>;
  /**
   * Loads the partials of an account that templates call (see `Partials.load`). Without it, templates have
   * only inline partials.
   */
  loadPartials?(
    accountId: string,
    texts: readonly (string | Uint8Array)[],
  ): Promise<TaskResult<Readonly<Record<string, string>>>>;
  /**
   * Checks the translations of a request in the sandbox, and returns them as `translationsJson`; `null` for
   * none. Without it, HTML in requests has no translations.
   * @throws {AppError} VALIDATION_ERROR that names the message, such as `translations.de.total`
   */
  readTranslations?(
    translations: RawJson | undefined,
    defaultLocale: string | undefined,
  ): Promise<string | null>;
  /**
   * Applies a check to options from now on, before they are stored. It throws an AppError for options that
   * cannot be combined. The plugin `render` calls this.
   */
  useOptionsCheck?(check: (options: GenerateOptions) => void): void;
}

/**
 * Deletes the parts of a template that another plugin stores, such as its cases. It is called when a template
 * is deleted, when its time in the trash ends, and again after a crash, so it must be idempotent.
 */
export type DeleteTemplateParts = (templateId: string) => Promise<void>;

/** A page of a list, the text to search for, and the category. */
export interface ListQuery extends Page {
  search?: string | undefined;
  category?: string | undefined;
  tag?: string | undefined;
}

/**
 * The service of the templates plugin. It treats another account's template as not found. Every `id` of a
 * template of the account may be its alias.
 */
export interface TemplatesService extends TemplateSource {
  trash: TemplateTrash;
  /**
   * Makes the checks that `create` and `update` make before they parse the HTML. Pure.
   * @throws {AppError} VALIDATION_ERROR that names the field.
   */
  validateInput(input: Partial<TemplateInput>): void;
  /**
   * Validates options that are to be stored, beyond their schema.
   * @throws {AppError} VALIDATION_ERROR that names `options.<name>`
   */
  checkOptions(options: GenerateOptions): void;
  /**
   * Stores a private template as version 1.
   * @throws {AppError} VALIDATION_ERROR, with line and column if the HTML does not parse.
   */
  create(accountId: string, input: TemplateInput): Promise<TemplateWithHtml>;
  /**
   * Lists an account's templates, newest first, then by id. `search` selects those whose name or category
   * contains it, ignoring case. An unknown category gives an empty list.
   */
  list(accountId: string, query: ListQuery): Promise<Listed<Template>>;
  /** Checks a file for a template. @throws {AppError} like `receiveFile` */
  checkFile(file: FileValue): Promise<TemplateFormat>;
  /**
   * Stores a copy of the file of a public template, as `receiveFile` does; `undefined` for HTML.
   * @throws {AppError} NOT_FOUND if the template was just deleted
   */
  copyFile(template: Pick<TemplateWithHtml, 'file' | 'format'>): Promise<UploadedTemplateFile | undefined>;
  /**
   * Checks a file for a template and stores it. Pass the result to `create`, `update` or `saveDraft`, which
   * own it from then on, even if they fail.
   * @throws {AppError} VALIDATION_ERROR that names `file`; RATE_LIMITED when too many tasks are waiting
   */
  receiveFile(file: FileValue): Promise<UploadedTemplateFile>;
  /** Returns a link to the file of a template, valid for 30 days. */
  linkFile(template: Pick<TemplateWithHtml, 'name' | 'file' | 'format'>): Promise<string | null>;
  /** Reads the current or the given version of a template. @throws {AppError} NOT_FOUND */
  get(accountId: string, id: string, version?: VersionChoice): Promise<TemplateWithHtml>;
  find(accountId: string, id: string, version?: VersionChoice): Promise<TemplateWithHtml | null>;
  resolveAlias(accountId: string, idOrAlias: string): Promise<string>;
  readTranslations(
    translations: RawJson | undefined,
    defaultLocale: string | undefined,
  ): Promise<string | null>;
  formatOf(accountId: string, id: string): Promise<TemplateFormat | null>;
  /**
   * Changes the given fields of the template and its current version. The version increases if and only if
   * the HTML changes. Concurrent changes each get their own version, and none is lost. If the template
   * requires checks and the check of a new version does not pass, the version is stored as a draft.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR like `create`; CONFLICT if `expectedEtag` is given and
   * the template has another one, and if the template was changed during the check.
   */
  update(
    accountId: string,
    id: string,
    change: Partial<TemplateInput>,
    expectedEtag?: string,
  ): Promise<TemplateWithHtml>;
  /**
   * Stores a version that is not current, in place of an earlier draft. Absent fields are those of the
   * earlier draft, or else of the current version.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR like `create`; CONFLICT if `expectedEtag` is given and
   * the earlier draft, or else the current version, has another one.
   */
  saveDraft(
    accountId: string,
    id: string,
    change: DraftChange,
    expectedEtag?: string,
  ): Promise<TemplateWithHtml>;
  /**
   * Makes the draft with this number the current version. Does nothing for the current version.
   * @throws {AppError} NOT_FOUND for an unknown version; CONFLICT if the version is not the draft, or if the
   * current version has changed since the draft was stored, or if a required check does not pass;
   * VALIDATION_ERROR if it does not fit the partials.
   */
  promote(accountId: string, id: string, version: number): Promise<TemplateWithHtml>;
  /**
   * Deletes the draft with this number.
   * @throws {AppError} NOT_FOUND for an unknown version; CONFLICT if the version is not the draft
   */
  discardDraft(accountId: string, id: string, version: number): Promise<void>;
  /** Lists the versions of a template, newest first. @throws {AppError} NOT_FOUND */
  listVersions(accountId: string, id: string, page: Page): Promise<Listed<VersionInfo>>;
  /**
   * Creates a new current version from the given one, or a draft like {@link update}.
   * @throws {AppError} NOT_FOUND; CONFLICT like {@link update}
   */
  restore(accountId: string, id: string, version: number): Promise<TemplateWithHtml>;
  /** Deletes a template with all its versions. @throws {AppError} NOT_FOUND */
  remove(accountId: string, id: string): Promise<void>;
  /**
   * Checks versions of templates with `requireChecks` from now on. Without it, no template can require
   * checks. Call it in `setup`.
   */
  useVersionCheck(check: CheckVersion): void;
  /** Registers the function that deletes the parts of templates that a plugin stores. Call it in `setup`. */
  ownParts(deleteParts: DeleteTemplateParts): void;

  /**
   * Lists public templates of all accounts, newest first, then by id. An unknown category gives an empty
   * list.
   */
  listPublic(query: ListQuery): Promise<Listed<Template>>;
  /** Reads the current version of a public template of any account. @throws {AppError} NOT_FOUND */
  getPublic(id: string): Promise<TemplateWithHtml>;
  /**
   * Returns the HTML of a template with the partials of its account that it calls, as inline partials. That
   * of an office file is empty.
   */
  inlinePartials(template: TemplateWithHtml): Promise<string>;
  /** Makes an account's template public or private. @throws {AppError} NOT_FOUND */
  setPublic(accountId: string, id: string, isPublic: boolean): Promise<Template>;
}

/** A template in the trash. Its contents and versions stay in their collections. */
export interface TrashedTemplate {
  /** The id of the template. */
  id: string;
  accountId: string;
  template: Template;
  /** When it was deleted, in epoch milliseconds. */
  createdAt: number;
  /** Until when it can be restored, in epoch milliseconds. */
  expiresAt: number;
}

/**
 * The trash, from which templates are restored within 30 days. It treats another account's template as not
 * found.
 */
export interface TemplateTrash {
  /**
   * Moves a template with all its versions to the trash. For every other operation it does not exist.
   * @throws {AppError} NOT_FOUND
   */
  discard(accountId: string, id: string): Promise<TrashedTemplate>;
  /**
   * Stores a template again, private, with its id and versions.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR if another partial has its name
   */
  restore(accountId: string, id: string): Promise<Template>;
  /** Lists the templates in an account's trash, the last deleted one first. */
  list(accountId: string, page: Page): Promise<Listed<TrashedTemplate>>;
  /** Deletes a template in the trash with all its versions. @throws {AppError} NOT_FOUND */
  remove(accountId: string, id: string): Promise<void>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    templates: TemplatesService;
  }
}
