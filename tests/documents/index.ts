import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generatedDocuments } from './generated.ts';

/** A document of the rendering tests. Its name is unique among plain and active documents. */
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

/** Documents without scripts or network access. */
export const plainDocuments: TestDocument[] = readDocuments('plain');

/** Returns the HTML of a document. @throws {Error} if no document has the name. */
export function documentNamed(name: string): string {
  const found = [...plainDocuments, ...activeDocuments].find((document) => document.name === name);
  if (!found) throw new Error(`no document ${name}`);
  return found.html;
}

/**
 * Documents that need a new document object, because they run scripts, look different without scripts, or set
 * a property that `document.open` does not reset (link colours of `body`, titles of style sheets). They do
 * not access the network.
 */
export const activeDocuments: TestDocument[] = readDocuments('active');
