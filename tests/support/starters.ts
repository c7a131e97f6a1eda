import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from './starter-variants.ts';

/** A starter as its two files hold it. */
export interface StarterFile {
  slug: string;
  name: string;
  description: string;
  category: string;
  sample_data: JsonObject;
  schema: Record<string, string>;
  options: JsonObject;
  html: string;
}

/** The folder of the starters that Platen brings. */
const STARTERS_FOLDER = join(import.meta.dir, '../../starters');

/** Reads all starters of the repository, by slug. */
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

/** The papers that a starter is to print well on: none but its own when it names a size. */
export function papersOf({ options, html }: StarterFile): (string | undefined)[] {
  const ownSize = options['format'] !== undefined || /@page[^{]*\{[^}]*\bsize:[^;}]*\d/.test(html);
  return ownSize ? [undefined] : ['A4', 'Letter'];
}

/** Gives the body of `POST /v1/generate` that prints a starter with data, on a paper other than its own if one is named. */
export function requestFor(starter: StarterFile, data: Json, paper?: string): object {
  return {
    html: starter.html,
    data,
    options: { ...starter.options, ...(paper === undefined ? {} : { format: paper }) },
    output: 'base64',
  };
}
