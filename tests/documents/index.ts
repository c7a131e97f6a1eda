import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generatedDocuments } from './generated.ts';

/** A document that the rendering tests print; `name` is unique over both kinds. */
export interface TestDocument {
  name: string;
  html: string;
}

function readDocuments(kind: 'plain' | 'active'): TestDocument[] {
  const folder = join(import.meta.dir, kind);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .sort();
  const stored = files.map((file) => ({
    name: basename(file, '.html'),
    html: readFileSync(join(folder, file), 'utf8'),
  }));
  const generated = generatedDocuments
    .filter((document) => document.kind === kind)
    .map(({ name, html }) => ({ name, html }));
  return [...stored, ...generated];
}

/** Lists inert documents: nothing in them can run, and nothing is fetched from a network. */
export const plainDocuments: TestDocument[] = readDocuments('plain');

/**
 * Lists documents that need a document object of their own: they run scripts, show something else when scripts are off, or set what
 * `document.open` does not reset (link colours of `body`, titles of style sheets). None needs a network.
 */
export const activeDocuments: TestDocument[] = readDocuments('active');
