import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, ConfigError, createValidator, messageOf, Type, type Static } from '../../src/plugin.ts';
import { GenerateOptions, CATEGORIES, MAX_TEMPLATE_CHARACTERS } from '../documents/exports.ts';
import { MARKED_TYPES, MAX_NAME_CHARACTERS, VARIABLE_TYPES } from '../templates/exports.ts';
import type { Starter, StarterCase } from './contract.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const StarterFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    name: Type.String({ minLength: 1, maxLength: MAX_NAME_CHARACTERS }),
    description: Type.String({ minLength: 1, maxLength: 1000 }),
    category: Type.Union(CATEGORIES.map((name) => Type.Literal(name))),
    html_content: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEMPLATE_CHARACTERS })),
    sample_data: Type.Record(Type.String(), Type.Unknown()),
    schema: Type.Record(
      Type.String(),
      Type.Union(
        MARKED_TYPES.map((name) => Type.Literal(name)),
        { expected: `one of ${VARIABLE_TYPES.join(', ')}` },
      ),
    ),
    options: Type.Optional(GenerateOptions),
    translations: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ expected: 'a message' }))),
    ),
    default_locale: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const validateStarter = createValidator(StarterFile);
const validateCase = createValidator(StarterFile.properties.sample_data);
/** The longest name of a case of a template. */
const MAX_CASE_NAME = 64;
/** The name of the case whose data is the sample. */
const TYPICAL = 'typical';

/** Starters by slug, each with its file. */
export type StarterFiles = Map<string, { starter: Starter; file: string }>;

/**
 * Reads every `<slug>.json` in a folder. The HTML is in `html_content` or in the file `<slug>.html`, or the
 * starter is the file `<slug>.docx`, `.xlsx` or `.pptx`.
 * `cases/<slug>/<name>.json` is more data for it. Other files are ignored.
 * @throws {ConfigError} that names the file and the field, or `setting` when the folder cannot be read
 */
export async function readStarters(directory: string, setting: string): Promise<StarterFiles> {
  const starters: StarterFiles = new Map();
  for (const { name, file } of await jsonFilesIn(directory, setting))
    starters.set(name, { starter: await readStarter(name, file), file });
  return starters;
}

async function jsonFilesIn(directory: string, setting: string): Promise<{ name: string; file: string }[]> {
  const entries = await readdir(directory).catch((error: unknown) => {
    throw new ConfigError(`${setting}: ${directory} cannot be read (${codeOf(error)})`);
  });
  const names = entries.filter((entry) => entry.endsWith('.json')).sort();
  return names.map((entry) => {
    const [file, name] = [join(directory, entry), basename(entry, '.json')];
    if (!SLUG.test(name))
      throw new ConfigError(`${file}: the file name must consist of the letters a-z, digits and hyphens`);
    return { name, file };
  });
}

async function readStarter(slug: string, file: string): Promise<Starter> {
  const content = checkFile(validateStarter, parseJson(await readText(file), file), file);
  const { name, description, category, sample_data: sampleData, schema, options = null } = content;
  const office = await readOfficeFile(content, file);
  const body = office ? { html: '', file: office } : { html: await readHtml(content, file) };
  const cases = [{ name: TYPICAL, data: sampleData }, ...(await readCases(slug, dirname(file)))];
  const translations = readTranslations(content, file);
  return { slug, name, description, category, ...body, sampleData, cases, schema, translations, options };
}

function readTranslations(
  { translations: messages, default_locale: defaultLocale }: Static<typeof StarterFile>,
  file: string,
): Starter['translations'] {
  if (messages !== undefined) return { messages, defaultLocale };
  if (defaultLocale === undefined) return null;
  throw new ConfigError(`${file}.default_locale: needs translations`);
}

async function readCases(slug: string, directory: string): Promise<StarterCase[]> {
  const folder = join(directory, 'cases', slug);
  if (!existsSync(folder)) return [];
  const files = await jsonFilesIn(folder, `cases of ${slug}`);
  return Promise.all(
    files.map(async ({ name, file }) => {
      if (name === TYPICAL) throw new ConfigError(`${file}: the case ${TYPICAL} is sample_data`);
      if (name.length > MAX_CASE_NAME)
        throw new ConfigError(`${file}: the name of a case has at most ${MAX_CASE_NAME} characters`);
      return { name, data: checkFile(validateCase, parseJson(await readText(file), file), file) };
    }),
  );
}

function checkFile<T>(validate: (content: unknown) => T, content: unknown, file: string): T {
  try {
    return validate(content);
  } catch (error) {
    const [detail] = error instanceof AppError ? error.details : [];
    if (!detail) throw error;
    // The validator is that of request bodies.
    const message = detail.message.replace(/^the body /, '');
    throw new ConfigError(`${[file, detail.path].filter(Boolean).join('.')}: ${message}`);
  }
}

async function readOfficeFile(
  { html_content: given }: Static<typeof StarterFile>,
  file: string,
): Promise<Starter['file']> {
  for (const format of ['docx', 'xlsx', 'pptx'] as const) {
    const sibling = file.replace(/\.json$/, `.${format}`);
    if (!existsSync(sibling)) continue;
    if (given !== undefined || existsSync(file.replace(/\.json$/, '.html')))
      throw new ConfigError(`${file}: ${basename(sibling)} exists beside HTML; keep only one of them`);
    const bytes = await readFile(sibling).catch((error: unknown) => {
      throw new ConfigError(`${sibling}: cannot be read (${codeOf(error)})`);
    });
    return { format, bytes: new Uint8Array(bytes) };
  }
  return undefined;
}

async function readHtml({ html_content: given }: Static<typeof StarterFile>, file: string): Promise<string> {
  const sibling = file.replace(/\.json$/, '.html');
  const found = existsSync(sibling) ? await readText(sibling) : undefined;
  if (given !== undefined && found !== undefined)
    throw new ConfigError(`${file}.html_content: ${basename(sibling)} exists too; keep only one of them`);
  const html = given ?? found;
  if (html === undefined)
    throw new ConfigError(`${file}.html_content: is required unless the file ${basename(sibling)} exists`);
  if (html.length === 0 || html.length > MAX_TEMPLATE_CHARACTERS)
    throw new ConfigError(`${sibling}: must have 1 to ${MAX_TEMPLATE_CHARACTERS} characters`);
  return html;
}

async function readText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${file}: cannot be read (${codeOf(error)})`);
  });
  // Some editors write a byte order mark.
  return text.replace(/^\uFEFF/, '');
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => {
      // Copying an object would lose this field.
      if (name === '__proto__') throw new ConfigError(`${file}: a field must not be named __proto__`);
      return value;
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file}: is not JSON (${messageOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? messageOf(error);
}
