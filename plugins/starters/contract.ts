import type { OfficeFormat } from '@platen/office-templates';
import type { Category, GenerateOptions } from '../documents/contract.ts';
import type { VariableSchema } from '../templates/contract.ts';

/** Data to print a starter with. */
export interface StarterCase {
  name: string;
  data: Readonly<Record<string, unknown>>;
}

/** The fields `translations` and `default_locale` of a template. */
export interface StarterTranslations {
  /** The ICU messages by language and name. */
  messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  defaultLocale?: string | undefined;
}

/** A starter: a ready-made template that accounts can clone. */
export interface Starter {
  slug: string;
  name: string;
  description: string;
  category: Category;
  /** Empty with `file`. */
  html: string;
  /** The docx, xlsx or pptx file that the starter is, instead of HTML. */
  file?: { format: OfficeFormat; bytes: Uint8Array } | undefined;
  sampleData: Readonly<Record<string, unknown>>;
  /** The sample data as `typical`, and data that is hard to lay out. */
  cases: readonly StarterCase[];
  schema: VariableSchema;
  /** The messages of the starter in several languages, or `null`. */
  translations: StarterTranslations | null;
  /** The options of `POST /v1/generate` that the starter is designed for, or `null`. */
  options: GenerateOptions | null;
}

/** The service of the starters plugin. */
export interface StartersService {
  /**
   * Lists the starters, ordered by slug. `search` selects those whose name, description or category contains
   * it, ignoring case.
   */
  list(search?: string): readonly Starter[];
  /** Finds a starter; `null` when it does not exist. */
  find(slug: string): Starter | null;
}

declare module '../../src/plugin.ts' {
  interface Services {
    starters: StartersService;
  }
}
