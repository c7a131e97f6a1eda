import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, extname, join, resolve, sep } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { explainFault } from '../../explain-fault.ts';
import { UsageError } from '../failures.ts';
import { listFolder, unreadable, withoutMark } from '../documents/read-file.ts';
import { isJsonObject, parseJsonObject, type JsonObject } from '../json-text.ts';
import { templateFileIn, type TemplateFile } from '../documents/template-folder.ts';
import {
  isCaseName,
  type OfficeFormat,
  type TemplateCase,
  type TemplateContent,
  type TemplateFields,
  type TemplateState,
} from './state.ts';

/** The state of a server that a folder remembers, from which its changes are counted. */
export interface ServerRecord {
  id: string;
  version: number;
  /** The hash of the files at that time; see `digestOf`. */
  content: string;
  /** The hash of the files that were pushed last as a draft. */
  draft?: string;
}

/** The template of a folder. */
export interface LocalTemplate {
  /** The name of the folder, as messages show it. */
  label: string;
  /** The folder that the command got. */
  root: string;
  /** The path of the template's folder in `root`, which is `.` for `root` itself. */
  path: string;
  /** The name of the template's file, such as `template.html`. */
  fileName: string;
  state: TemplateState;
  /** The partials in the folder, which no template of the account has. */
  partials: ReadonlyMap<string, string>;
  /** By the address of the server. */
  servers: Readonly<Record<string, ServerRecord>>;
}

/** The folder where commands look for templates. */
export const DEFAULT_FOLDER = 'templates';

const Text = Type.String();
const Properties = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1 })),
    alias: Type.Optional(Type.Union([Text, Type.Null()])),
    category: Type.Optional(Text),
    partial: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Text)),
    require_checks: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Union([Type.Record(Text, Type.Unknown()), Type.Null()])),
    schema: Type.Optional(Type.Record(Text, Text)),
    translations: Type.Optional(Type.Record(Text, Type.Record(Text, Text))),
    default_locale: Type.Optional(Text),
    servers: Type.Optional(
      Type.Record(
        Text,
        Type.Object({
          id: Text,
          version: Type.Integer(),
          content: Text,
          draft: Type.Optional(Text),
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

const CaseFile = Type.Object(
  {
    data: Type.Record(Text, Type.Unknown()),
    options: Type.Optional(Type.Union([Type.Record(Text, Type.Unknown()), Type.Null()])),
  },
  { additionalProperties: false },
);

const PARTIAL_FILE = /^(\p{L}[\p{L}\p{N}_-]*)\.(?:html|hbs)$/u;

/**
 * Reads the templates of a folder: the folder itself if it has a template, and otherwise each folder in it
 * that has one, in the order of their names.
 * @throws {UsageError}
 */
export function readTemplates(path: string): LocalTemplate[] {
  const file = templateFileIn(path);
  if (file) return [readTemplate({ root: path, path: '.', label: basename(resolve(path)) }, file)];
  return listFolder(path).flatMap((name) => {
    const folder = join(path, name);
    const inner = lstatSync(folder).isDirectory() ? templateFileIn(folder) : undefined;
    // A service stores no Markdown and no components.
    return inner && isStored(inner) ? [readTemplate({ root: path, path: name, label: name }, inner)] : [];
  });
}

/** Reads the templates of a folder that must have one. @throws {UsageError} */
export function requireTemplates(path: string): LocalTemplate[] {
  const templates = readTemplates(path);
  if (templates.length > 0) return templates;
  throw new UsageError(
    `${path} has no templates; name a folder with template.html, or one with such folders, or run platen templates pull`,
  );
}

function isStored({ kind }: TemplateFile): boolean {
  return kind === 'html' || kind === 'office';
}

function readTemplate(
  place: Pick<LocalTemplate, 'root' | 'path' | 'label'>,
  file: TemplateFile,
): LocalTemplate {
  const folder = join(place.root, place.path);
  const entries = listFolder(folder);
  const read = (path: string) => readInside(folder, path);
  const readJson = (path: string) => parseJsonObject(withoutMark(read(path).toString()), join(folder, path));
  if (!isStored(file))
    throw new UsageError(
      `${join(folder, file.name)} is printed by platen render and dev only; the templates of a service are HTML and office files`,
    );
  const bytes = read(file.name);
  const content: TemplateContent =
    file.kind === 'html'
      ? { format: 'html', text: withoutMark(bytes.toString()) }
      : { format: extname(file.name).slice(1) as OfficeFormat, bytes };
  const { servers = {}, ...given } = entries.includes('template.json')
    ? readProperties(readJson('template.json'), join(folder, 'template.json'))
    : {};
  const fields: TemplateFields = {
    name: given.name ?? place.label,
    alias: given.alias ?? null,
    category: given.category ?? 'other',
    partial: given.partial ?? false,
    tags: given.tags ?? [],
    requireChecks: given.require_checks ?? false,
    options: given.options ?? null,
    schema: given.schema ?? {},
    translations: given.translations,
    defaultLocale: given.default_locale,
  };
  const cases = new Map<string, TemplateCase>();
  const caseFiles = entries.includes('cases') ? listFolder(join(folder, 'cases')) : [];
  for (const name of caseFiles) {
    if (!name.endsWith('.json')) continue;
    const caseName = basename(name, '.json');
    const path = join('cases', name);
    if (!isCaseName(caseName))
      throw new UsageError(
        `${join(folder, path)}: the name of a case has 1 to 64 letters from A to Z, digits, spaces, - and _; rename the file`,
      );
    const accepted = `${caseName}.pdf`;
    cases.set(caseName, {
      ...readCase(readJson(path), join(folder, path)),
      accepted: caseFiles.includes(accepted) ? read(join('cases', accepted)) : null,
    });
  }
  const partials = new Map<string, string>();
  for (const name of entries.includes('partials') ? listFolder(join(folder, 'partials')) : []) {
    const [, partial] = PARTIAL_FILE.exec(name) ?? [];
    if (partial !== undefined) partials.set(partial, withoutMark(read(join('partials', name)).toString()));
  }
  const sampleData = entries.includes('sample.json') ? readJson('sample.json') : {};
  return {
    ...place,
    fileName: file.name,
    state: { ...fields, content, sampleData, cases },
    partials,
    servers,
  };
}

/** Reads a file of a folder, not one to which a symbolic link leads outside of it. @throws {UsageError} */
export function readInside(folder: string, path: string): Buffer<ArrayBuffer> {
  const target = join(folder, path);
  try {
    const root = realpathSync(folder);
    if (!realpathSync(target).startsWith(root + sep))
      throw new UsageError(
        `${target} is a symbolic link to a place outside of ${folder}; copy the file instead`,
      );
    return readFileSync(target);
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(target, error);
  }
}

function readProperties(value: JsonObject, path: string) {
  const fault = Value.Errors(Properties, value).First();
  if (!fault && Value.Check(Properties, value)) return value;
  throw invalidFile(path, fault);
}

function readCase(value: JsonObject, path: string): Omit<TemplateCase, 'accepted'> {
  const fault = Value.Errors(CaseFile, value).First();
  if (fault || !isJsonObject(value['data']))
    throw invalidFile(path, fault, ': a case is {"data": {…}, "options": {…}}');
  const { options } = value;
  return { data: value['data'], options: isJsonObject(options) ? options : null };
}

function invalidFile(
  path: string,
  fault: ReturnType<ReturnType<typeof Value.Errors>['First']>,
  hint = '',
): UsageError {
  const detail = fault && explainFault(fault);
  return new UsageError(`${path}: ${[detail?.path, detail?.message].filter(Boolean).join(' ')}${hint}`);
}
