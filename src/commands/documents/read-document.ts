import { basename, dirname, extname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { UsageError } from '../failures.ts';
import { FolderFiles } from './folder-files.ts';
import {
  inlineHtml,
  inlineMarkdown,
  inlinePartial,
  inlineReact,
  type LostReference,
} from './inline-files.ts';
import { mergeOptions } from './option-values.ts';
import { addPartials, lineOf, type Partial, type SourceLine } from './partials.ts';
import { isFolder, readJsonObject, readText } from './read-file.ts';
import { partialsIn, readProperties, requireSource, TEMPLATE_FILES } from './template-folder.ts';

/** The names of a document on this machine, as a person gives them. */
export interface DocumentInput {
  /** A file, the folder of a template, or `-` for HTML from standard input. */
  path: string;
  /** A file with the data. */
  data?: string | undefined;
  options: Record<string, unknown>;
}

/** A document that was read from files, with the files that it names. */
export interface LocalDocument {
  /** The fields of `POST /v1/generate`. */
  request: Record<string, unknown>;
  /** The references to files that are missing or outside the folder. */
  lost: readonly LostReference[];
  /** The paths of all files on which the document depends, also of missing ones. */
  dependsOn: ReadonlySet<string>;
  /** Finds the file that has a line of the document's source. */
  lineOf: (line: number) => SourceLine;
}

const FIELDS: Readonly<Record<string, 'html' | 'markdown' | 'react'>> = {
  '.html': 'html',
  '.htm': 'html',
  '.hbs': 'html',
  '.svg': 'html',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.tsx': 'react',
  '.jsx': 'react',
};

/** The endings of files that are documents. */
export const SOURCE_ENDINGS: readonly string[] = Object.keys(FIELDS);

/** The fields of the options that are HTML. */
const HTML_OPTIONS = ['header', 'footer'] as const;

/**
 * Reads a document, its data, its partials and the files of its folder that it names. A document with data is
 * a template; a template folder has the data of its sample and the options of `template.json`.
 * @throws {UsageError} for a file that is missing or invalid
 */
export async function readDocument({ path, data, options }: DocumentInput): Promise<LocalDocument> {
  const isTemplateFolder = path !== '-' && isFolder(path);
  const source = isTemplateFolder ? requireSource(path) : path;
  const folder = folderOfDocument(path);
  const field = fieldOf(source);
  const text = source === '-' ? await Bun.stdin.text() : readText(source);
  if (text === '') throw new UsageError(`${source === '-' ? 'standard input' : source} is empty`);
  const files = new FolderFiles(folder);
  const dependsOn = new Set<string>();
  const note = (...paths: string[]) => paths.forEach((each) => dependsOn.add(each));
  if (source !== '-') note(source);

  const sample = join(folder, TEMPLATE_FILES.sample);
  const properties = join(folder, TEMPLATE_FILES.properties);
  const dataPath = data ?? (isTemplateFolder && existsSync(sample) ? sample : undefined);
  if (isTemplateFolder) note(properties, sample);
  if (dataPath !== undefined) note(dataPath);
  const isTemplate = isTemplateFolder || extname(source) === '.hbs';
  const values = dataPath === undefined ? (isTemplate ? {} : undefined) : readJsonObject(dataPath);

  const lost: LostReference[] = [];
  const inlineContext = (file: string | undefined, name: string) => ({ files, path: file, name, lost });
  const { options: stored = {}, ...stated } = isTemplateFolder ? readProperties(path) : {};
  const merged = mergeOptions(stored, options);
  const partials: Partial[] =
    field === 'react' || values === undefined
      ? []
      : partialsIn(folder).map(({ name, path: file }) => {
          note(file);
          const displayName = join(TEMPLATE_FILES.partials, basename(file));
          // A partial becomes part of the template, so its references begin at the folder of the template.
          const inlined = inlinePartial(readText(file), inlineContext(undefined, displayName));
          return { name, file: displayName, source: inlined };
        });
  note(join(folder, TEMPLATE_FILES.partials));
  const name = source === '-' ? 'standard input' : basename(source);
  const inline = { html: inlineHtml, markdown: inlineMarkdown, react: inlineReact }[field];
  const inlined = inline(text, inlineContext(undefined, name));
  const complete = addPartials(inlined, partials);
  const finalOptions = inlineOptions(merged, (html) =>
    addPartials(inlineHtml(html, inlineContext(undefined, TEMPLATE_FILES.properties)), partials),
  );
  note(...files.used);
  return {
    request: {
      [field]: complete,
      ...(values !== undefined && { data: values }),
      ...(field !== 'react' && translationsIn(stated)),
      ...(Object.keys(finalOptions).length > 0 && { options: finalOptions }),
    },
    lost,
    dependsOn,
    lineOf: (line) => lineOf(line, { template: inlined, file: name, partials }),
  };
}

/** Returns the folder whose files a document may use. */
export function folderOfDocument(path: string): string {
  if (path === '-') return '.';
  return existsSync(path) && isFolder(path) ? path : dirname(path);
}

/** Returns the translations in `template.json` as fields of a request, which the service checks. */
function translationsIn(properties: Record<string, unknown>): Record<string, unknown> {
  const { translations, default_locale } = properties;
  return {
    ...(translations !== undefined && { translations }),
    ...(default_locale !== undefined && { default_locale }),
  };
}

function fieldOf(path: string): 'html' | 'markdown' | 'react' {
  const field = path === '-' ? 'html' : FIELDS[extname(path).toLowerCase()];
  if (field === undefined)
    throw new UsageError(
      `${path} has an unknown ending; use ${Object.keys(FIELDS).join(', ')} or the folder of a template`,
    );
  return field;
}

/** Changes the HTML in options: the header and footer, also those of the first page. */
function inlineOptions(
  options: Record<string, unknown>,
  change: (html: string) => string,
): Record<string, unknown> {
  const changed = { ...options };
  for (const name of HTML_OPTIONS) {
    const value = changed[name];
    if (typeof value === 'string') changed[name] = change(value);
  }
  const first = changed['firstPage'];
  if (typeof first === 'object' && first !== null)
    changed['firstPage'] = inlineOptions(first as Record<string, unknown>, change);
  return changed;
}
