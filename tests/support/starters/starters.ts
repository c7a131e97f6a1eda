import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from './variants.ts';

/** A starter, read from its two files. */
export interface StarterFile {
  slug: string;
  name: string;
  description: string;
  category: string;
  sample_data: JsonObject;
  schema: Record<string, string>;
  options: JsonObject;
  /** Messages by language and name, for starters whose words differ from the built-in labels. */
  translations?: Record<string, Record<string, string>>;
  default_locale?: string;
  html: string;
}

/** The folder of the built-in starters. */
const STARTERS_FOLDER = join(import.meta.dir, '../../../starters');

/** Reads all starters, sorted by slug. */
export function readStarters(folder = STARTERS_FOLDER): StarterFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const slug = name.slice(0, -'.json'.length);
      const { options = {}, ...declared } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return { slug, ...declared, options, html: readFileSync(join(folder, `${slug}.html`), 'utf8') };
    });
}

/** The starters for one country, and those whose words are nearly all in the data. */
export const ONE_LANGUAGE: ReadonlySet<string> = new Set([
  'invoice-arabic',
  'invoice-japanese',
  'invoice-swiss',
  'letter-hebrew',
  'product-catalogue',
  'resume-classic',
  'resume-modern',
]);

/** Returns the paper sizes that a starter must fit: `undefined` for one that declares its size. */
export function papersOf({ options, html }: StarterFile): (string | undefined)[] {
  const ownSize = options['format'] !== undefined || /@page[^{]*\{[^}]*\bsize:[^;}]*\d/.test(html);
  return ownSize ? [undefined] : ['A4', 'Letter'];
}

/** Returns the body of `POST /v1/templates` that stores a starter with its translations. */
export function templateOf({ slug, html, translations, default_locale }: StarterFile): object {
  return { name: slug, html_content: html, ...(translations && { translations, default_locale }) };
}

/** Returns the body of `POST /v1/generate` that prints a stored starter in a locale. */
export function localizedRequest(
  starter: StarterFile,
  { template, data, locale }: { template: string; data: Json; locale: string },
): object {
  return { ...requestFor(starter, data), html: undefined, template, locale };
}

/**
 * Returns the body of `POST /v1/generate` that prints a starter, on the given paper instead of its own. The
 * data of tests is not always that of a valid invoice, so an e-invoice is printed without its XML.
 */
export function requestFor(starter: StarterFile, data: Json, paper?: string): object {
  const { invoice: _, ...options } = starter.options;
  return {
    html: starter.html,
    data,
    options: { ...options, ...(paper === undefined ? {} : { format: paper }) },
    output: 'base64',
  };
}
