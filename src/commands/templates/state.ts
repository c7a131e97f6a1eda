import { createHash } from 'node:crypto';
import { formatJson, type JsonObject } from '../json-text.ts';

/** The formats of templates, which are also the endings of their files. */
export const FORMATS = ['html', 'docx', 'xlsx', 'pptx'] as const;
export type Format = (typeof FORMATS)[number];
export type OfficeFormat = Exclude<Format, 'html'>;

const CASE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,62}[A-Za-z0-9_-])?$/;

/** Tells whether a text can name a case, and so the files of the case. */
export function isCaseName(name: unknown): name is string {
  return typeof name === 'string' && CASE_NAME.test(name);
}

/** The content of a template: HTML, or the file of an office program. */
export type TemplateContent =
  | { format: 'html'; text: string }
  | { format: OfficeFormat; bytes: Uint8Array<ArrayBuffer> };

/** The fields of a template beside its content and its sample data. */
export interface TemplateFields {
  name: string;
  alias: string | null;
  category: string;
  partial: boolean;
  tags: readonly string[];
  requireChecks: boolean;
  options: JsonObject | null;
  schema: JsonObject;
  /** The messages by language and name; absent for none. */
  translations?: JsonObject | undefined;
  defaultLocale?: string | undefined;
}

/** A case: the data of a document that is compared with accepted pages. */
export interface TemplateCase {
  data: JsonObject;
  options: JsonObject | null;
  /** The PDF with the accepted pages; `null` for a new case. */
  accepted: Uint8Array<ArrayBuffer> | null;
}

/** Everything of a template that is compared, whether it is in a folder or on a server. */
export interface TemplateState extends TemplateFields {
  content: TemplateContent;
  sampleData: JsonObject;
  cases: ReadonlyMap<string, TemplateCase>;
}

/** A file of a template folder by its path there, such as `cases/long.json`. */
export type TemplateFiles = ReadonlyMap<string, string | Uint8Array<ArrayBuffer>>;

/** Returns the path of a template's file in a folder, where `template.html` may be `template.hbs`. */
export function pathInFolder(path: string, fileName: string | undefined): string {
  return path === 'template.html' && fileName === 'template.hbs' ? fileName : path;
}

/** Returns the fields of `template.json`, without those that have their default. */
export function presentFields(state: TemplateFields): JsonObject {
  const { name, alias, category, partial, tags, requireChecks, options, schema } = state;
  const { translations, defaultLocale } = state;
  return {
    name,
    ...(alias !== null && { alias }),
    ...(category !== 'other' && { category }),
    ...(partial && { partial }),
    ...(tags.length > 0 && { tags }),
    ...(requireChecks && { require_checks: true }),
    ...(options !== null && { options: sorted(options) }),
    ...(Object.keys(schema).length > 0 && { schema: sorted(schema) }),
    ...(translations && { translations: sorted(translations) }),
    ...(defaultLocale !== undefined && { default_locale: defaultLocale }),
  };
}

/** Returns the files of a template. The same template always has the same files. */
export function filesOf(state: TemplateState): TemplateFiles {
  const { content, sampleData, cases } = state;
  return new Map<string, string | Uint8Array<ArrayBuffer>>([
    [`template.${content.format}`, content.format === 'html' ? content.text : content.bytes],
    ['template.json', formatJson(presentFields(state))],
    ['sample.json', formatJson(sampleData)],
    ...[...cases]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, entry]) => {
        const data = [`cases/${name}.json`, formatJson(presentCase(entry))] as const;
        return entry.accepted ? [data, [`cases/${name}.pdf`, entry.accepted] as const] : [data];
      }),
  ]);
}

export function presentCase({ data, options }: TemplateCase): JsonObject {
  return { data, ...(options !== null && { options: sorted(options) }) };
}

/**
 * Returns a hash of the files, which tells whether a folder has changed since it was pulled. It ignores the
 * line ends, which git may change.
 */
export function digestOf(files: TemplateFiles): string {
  const hash = createHash('sha256');
  for (const [path, content] of files) {
    const bytes = typeof content === 'string' ? Buffer.from(withPlainLines(content)) : content;
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('base64url').slice(0, 22);
}

export function isSameContent(left: string | Uint8Array, right: string | Uint8Array): boolean {
  if (typeof left === 'string' && typeof right === 'string')
    return withPlainLines(left) === withPlainLines(right);
  return Buffer.compare(Buffer.from(left as Uint8Array), Buffer.from(right as Uint8Array)) === 0;
}

export function withPlainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Returns a value whose objects have their members in the order of their names. */
function sorted(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  ) as JsonObject;
}
