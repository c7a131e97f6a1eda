import type { RawJson } from '../../src/plugin.ts';

/** What a template can be for; also the categories of the marketplace and of starters. */
export const CATEGORIES = [
  'invoice',
  'receipt',
  'report',
  'certificate',
  'letter',
  'resume',
  'other',
] as const;

/** One of {@link CATEGORIES}. */
export type Category = (typeof CATEGORIES)[number];

/** What a variable of a template may hold. `date` is an ISO 8601 text or epoch milliseconds. */
export const VARIABLE_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'date',
  'any',
] as const;

/** One of {@link VARIABLE_TYPES}. */
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** The type of each variable by its name; a name with dots (`customer.name`) is a path. */
export type VariableSchema = Readonly<Record<string, VariableType>>;

/** A variable that data lacks or has with another type than the schema says. */
export interface DataFault {
  path: string;
  expected: VariableType;
  /** What is there instead, in the words of JSON; `missing` when there is nothing. */
  found: 'missing' | 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';
}

/** The largest template in UTF-16 code units. */
export const MAX_HTML_CHARACTERS = 2_000_000;

/** The longest name of a template in UTF-16 code units. */
export const MAX_NAME_CHARACTERS = 200;

/** What its author says of a template. */
export interface TemplateDraft {
  name: string;
  html: string;
  schema: VariableSchema;
  category: Category;
}

/** A template as it is stored. Times are epoch milliseconds. */
export interface Template {
  id: string;
  accountId: string;
  name: string;
  category: Category;
  schema: VariableSchema;
  /** Counts the changes of the HTML, from 1. */
  version: number;
  /** Where the HTML of the current version is. */
  contentId: string;
  isPublic: boolean;
  createdAt: number;
  updatedAt: number;
}

/** A template with the HTML of the version that was asked for; `version` is that version, all else is current. */
export interface WholeTemplate extends Template {
  html: string;
}

/** What makes documents from templates needs of whoever stores them. */
export interface TemplateSource {
  /** Finds a template of an account in its current version, or in the one that is named; `null` when there is none. */
  find(
    accountId: string,
    id: string,
    version?: number,
  ): Promise<Pick<WholeTemplate, 'html' | 'schema' | 'version'> | null>;
  /**
   * Lists what data lacks of what a schema names, and what it has with another type.
   * @throws {AppError} VALIDATION_ERROR of `data` when it cannot be parsed in time; RATE_LIMITED when too much waits.
   */
  checkData(schema: VariableSchema, data: RawJson): Promise<readonly DataFault[]>;
}

/** What the templates plugin does for others. Another account's template is as if it were not there. */
export interface TemplatesService extends TemplateSource {
  /** Refuses what `create` and `update` refuse before they parse. Pure. @throws {AppError} VALIDATION_ERROR that names the field. */
  checkDraft(draft: Partial<TemplateDraft>): void;
  /** Stores a template as version 1, private. @throws {AppError} VALIDATION_ERROR with line and column when it does not parse. */
  create(accountId: string, draft: TemplateDraft): Promise<WholeTemplate>;
  /** Lists an account's templates, newest first, ties by id. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<Template[]>;
  /** Reads a template, or one version of it. @throws {AppError} NOT_FOUND */
  get(accountId: string, id: string, version?: number): Promise<WholeTemplate>;
  find(accountId: string, id: string, version?: number): Promise<WholeTemplate | null>;
  /**
   * Changes what is given. The version rises by one exactly when the HTML is another; of changes at the same time each gets its
   * own number, and none is lost.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR as `create`.
   */
  update(accountId: string, id: string, change: Partial<TemplateDraft>): Promise<WholeTemplate>;
  /** Deletes a template with all its versions. @throws {AppError} NOT_FOUND */
  remove(accountId: string, id: string): Promise<void>;

  /** Lists public templates of all accounts, newest first, ties by id. A category that does not exist has none. */
  listPublic(page: { limit: number; offset: number; category?: string | undefined }): Promise<Template[]>;
  /** Reads a public template of any account in its current version. @throws {AppError} NOT_FOUND */
  getPublic(id: string): Promise<WholeTemplate>;
  /** Shows an account's template to all, or to nobody else. @throws {AppError} NOT_FOUND */
  setPublic(accountId: string, id: string, isPublic: boolean): Promise<Template>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    templates: TemplatesService;
  }
}
