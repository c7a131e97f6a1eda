import { AppError, decodeText, TimeSlice } from '../../../src/plugin.ts';
import type { FormFile } from '../form/form.ts';

/** `toHTML "page.md"`, also with a raw string of Go and with markers that trim white space. */
const CALL = /^-?\s{0,20}toHTML\s{1,20}(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)\s{0,20}-?$/;
const COMMENT = /^-?\s{0,20}\/\*[^*]*\*\/\s{0,20}-?$/;

const MAX_ACTIONS = 10_000;
const MAX_ACTION_CHARACTERS = 1_000;
/** How many missing files a message names. */
const MAX_SHOWN = 10;

/** The files of a template may be named often. */
const MAX_CHARACTERS = 30_000_000;

interface Pieces {
  texts: string[];
  /** The names of the files that follow each text but the last one. */
  names: string[];
}

/**
 * Replaces each `{{ toHTML "page.md" }}` in HTML with a file as HTML.
 * @throws {AppError} VALIDATION_ERROR, with Gotenberg's text for files that the form does not have
 */
export async function fillTemplate(
  html: string,
  files: readonly FormFile[],
  toHtml: (markdown: string) => Promise<string>,
): Promise<string> {
  const { texts, names } = await readTemplate(html);
  const byName = new Map(files.map((file) => [file.name, file]));
  const missing = [...new Set(names)].filter((name) => !byName.has(name));
  if (missing.length > 0)
    throw new AppError(
      'VALIDATION_ERROR',
      `Markdown file(s) not found: ${missing
        .slice(0, MAX_SHOWN)
        .map((name) => `'${name}'`)
        .join('\n')}`,
    );
  const converted = new Map<string, string>();
  for (const name of new Set(names)) {
    const content = byName.get(name)?.content;
    if (content) converted.set(name, await toHtml(await decodeText(content)));
  }
  let characters = html.length;
  for (const name of names) characters += converted.get(name)?.length ?? 0;
  if (characters > MAX_CHARACTERS)
    throw new AppError('VALIDATION_ERROR', `The document has more than ${MAX_CHARACTERS} characters`);
  return texts.map((text, index) => text + (converted.get(names[index] ?? '') ?? '')).join('');
}

/** Splits a template at its actions. */
async function readTemplate(html: string): Promise<Pieces> {
  const pieces: Pieces = { texts: [], names: [] };
  const slice = new TimeSlice();
  let text = '';
  let from = 0;
  for (let at = html.indexOf('{{'); at >= 0; at = html.indexOf('{{', from)) {
    if (slice.isOver) await slice.next();
    const end = html.indexOf('}}', at);
    const action = end < 0 ? '' : html.slice(at + 2, end);
    text += html.slice(from, at);
    from = end + 2;
    if (COMMENT.test(action)) continue;
    const [call, quoted, raw] = (action.length <= MAX_ACTION_CHARACTERS && CALL.exec(action)) || [];
    if (call === undefined)
      throw new AppError(
        'VALIDATION_ERROR',
        `index.html: '{{${action.slice(0, 100)}' is not an action; the only one is {{ toHTML "page.md" }}`,
      );
    if (pieces.names.length === MAX_ACTIONS)
      throw new AppError('VALIDATION_ERROR', `index.html has more than ${MAX_ACTIONS} actions`);
    pieces.texts.push(text);
    pieces.names.push(raw ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'));
    text = '';
  }
  pieces.texts.push(text + html.slice(from));
  return pieces;
}
