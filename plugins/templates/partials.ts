import { createHash } from 'node:crypto';
import { explainTaskFailure, invalid, type Collection, type TaskResult } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { Template } from './contract.ts';
import { readHtml, type TemplateCollections } from './contents.ts';

export type PartialSources = Readonly<Record<string, string>>;

/** The limits of all partials that one document uses. */
const MAX_PARTIALS = 100;
const MAX_CHARACTERS = 4_000_000;
const MAX_NESTING = 20;

/** How many texts are remembered with the names of the partials that they call. */
const MAX_REMEMBERED = 1_000;

const TIMEOUT_MS = 5_000;

const FAILURES = {
  path: 'html',
  deadline: `finding the partials takes longer than ${TIMEOUT_MS} ms`,
  memory: 'finding the partials exceeds the memory limit',
  waiting: 'templates',
  failed: 'the partials could not be found',
};

/** The ways in which a call of a partial can begin. */
const CALLS = ['{{>', '{{~>', '{{#>', '{{~#>'].map((text) => Buffer.from(text));

/** Names that need no quotes in a call and are not literals. */
const NAME = /^(?!(?:true|false|null|undefined)$)\p{L}[\p{L}\p{N}_-]*$/u;

/** A template that is about to be stored as a partial. */
export interface NewPartial {
  /** The id of the template; `undefined` for a new one. */
  id: string | undefined;
  name: string;
  html: string;
}

/** Finds the partials of accounts. */
export interface Partials {
  /**
   * Loads all partials of an account that texts call, directly or through other partials, in their current
   * versions. Names without a partial are left out. A failure is `TEMPLATE_ERROR`: partials that include each
   * other, or too many.
   */
  load(accountId: string, texts: readonly (string | Uint8Array)[]): Promise<TaskResult<PartialSources>>;
  /**
   * Checks the name of a partial, and the partials that it includes.
   * @throws {AppError} VALIDATION_ERROR that names the field.
   */
  check(accountId: string, partial: NewPartial): Promise<void>;
}

/** Thrown for partials that cannot be used together. */
class PartialFault extends Error {}

export function createPartials(collections: TemplateCollections, handlebars: Handlebars): Partials {
  const names = new NameCache();

  async function namesIn(texts: readonly (string | Uint8Array)[]): Promise<string[][]> {
    const known = texts.map((text) => (mentionsPartials(text) ? names.get(text) : []));
    const unknown = texts.filter((_, index) => known[index] === undefined);
    if (unknown.length > 0) {
      // A text that does not parse has no names. The renderer reports it, with the position.
      const called = await handlebars
        .listPartials({ sources: unknown }, { timeoutMs: TIMEOUT_MS })
        .catch((error: unknown) => {
          throw explainTaskFailure(error, FAILURES);
        });
      for (const [index, text] of unknown.entries()) names.set(text, called[index] ?? []);
    }
    return texts.map((text, index) => known[index] ?? names.get(text) ?? []);
  }

  /**
   * Loads the wanted partials and those that they call, and adds to `graph` the names that each of them
   * calls.
   * @throws {PartialFault}
   */
  async function loadAll(
    accountId: string,
    graph: Map<string, readonly string[]>,
    wanted: readonly string[],
  ): Promise<Record<string, string>> {
    const sources: Record<string, string> = {};
    const missing = new Set<string>();
    let characters = 0;
    for (let next = [...wanted]; next.length > 0;) {
      const found = await findPartials(collections.templates, accountId, next);
      const loaded = await Promise.all(
        found.map(async (template) => ({
          name: template.name,
          html: (await readHtml(collections.contents, template.contentId)) ?? '',
        })),
      );
      for (const name of next) if (!loaded.some((partial) => partial.name === name)) missing.add(name);
      const called = await namesIn(loaded.map(({ html }) => html));
      for (const [index, { name, html }] of loaded.entries()) {
        sources[name] = html;
        characters += html.length;
        graph.set(name, called[index] ?? []);
      }
      if (graph.size > MAX_PARTIALS || characters > MAX_CHARACTERS)
        throw new PartialFault(
          `the document uses more than ${MAX_PARTIALS} partials, or partials of more than ${MAX_CHARACTERS} characters together`,
        );
      next = [...new Set(called.flat())].filter((name) => !graph.has(name) && !missing.has(name));
    }
    return sources;
  }

  return {
    async load(accountId, texts) {
      const roots = [...new Set((await namesIn(texts)).flat())];
      if (roots.length === 0) return { ok: true, value: {} };
      const graph = new Map<string, readonly string[]>();
      try {
        const value = await loadAll(accountId, graph, roots);
        requireNoCycle(graph, roots);
        return { ok: true, value };
      } catch (error) {
        if (!(error instanceof PartialFault)) throw error;
        return { ok: false, code: 'TEMPLATE_ERROR', message: error.message };
      }
    },
    async check(accountId, { id, name, html }) {
      if (!NAME.test(name))
        throw invalid(
          'name',
          'the name of a partial must begin with a letter and have only letters, digits, _ and -',
        );
      const [other] = await findPartials(collections.templates, accountId, [name]);
      if (other && other.id !== id) throw invalid('name', `the account has another partial named "${name}"`);
      const [called = []] = await namesIn([html]);
      const graph = new Map<string, readonly string[]>([[name, called]]);
      try {
        await loadAll(
          accountId,
          graph,
          called.filter((partial) => partial !== name),
        );
        requireNoCycle(graph, [name]);
      } catch (error) {
        if (error instanceof PartialFault) throw invalid('html_content', error.message);
        throw error;
      }
    },
  };
}

/** Returns a template that defines its partials inline, so that it also works in another account. */
export function inlinePartials(html: string, partials: PartialSources): string {
  const definitions = Object.entries(partials).map(
    ([name, source]) => `{{#*inline "${name}"}}${source}{{/inline}}`,
  );
  return definitions.join('') + html;
}

/**
 * Finds partials by name. If concurrent requests have stored two partials with one name, the older one
 * counts.
 */
async function findPartials(
  templates: Collection<Template>,
  accountId: string,
  names: readonly string[],
): Promise<Template[]> {
  const found = await templates.find({
    where: { accountId, isPartial: true, name: { in: names.slice(0, MAX_PARTIALS + 1) } },
    order: { createdAt: 'asc', id: 'asc' },
  });
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

function mentionsPartials(text: string | Uint8Array): boolean {
  if (typeof text === 'string') return CALLS.some((call) => text.includes(call.toString()));
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  return CALLS.some((call) => bytes.includes(call));
}

/** Rejects partials that include each other or are nested too deeply. @throws {PartialFault} */
function requireNoCycle(graph: ReadonlyMap<string, readonly string[]>, roots: readonly string[]): void {
  /** The height of each partial that has been visited. */
  const heights = new Map<string, number>();
  const path: string[] = [];
  const visit = (name: string): number => {
    const known = heights.get(name);
    if (known !== undefined) return known;
    const start = path.indexOf(name);
    if (start >= 0)
      throw new PartialFault(`partials include each other: ${[...path.slice(start), name].join(' > ')}`);
    path.push(name);
    const height = 1 + Math.max(0, ...(graph.get(name) ?? []).map(visit));
    path.pop();
    heights.set(name, height);
    if (height > MAX_NESTING)
      throw new PartialFault(`partials are nested more than ${MAX_NESTING} levels deep`);
    return height;
  };
  for (const root of roots) visit(root);
}

/** Remembers the partials that texts call, by the hash of the text. */
class NameCache {
  /** In order of insertion. */
  readonly #names = new Map<string, string[]>();

  get(text: string | Uint8Array): string[] | undefined {
    return this.#names.get(hashOf(text));
  }

  set(text: string | Uint8Array, names: string[]): void {
    this.#names.set(hashOf(text), names);
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_REMEMBERED && oldest !== undefined) this.#names.delete(oldest);
  }
}

function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64');
}
