import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A value in qpdf's JSON: names start with a slash, references look like `7 0 R`, strings start with `u:` or
 * `b:`.
 */
export type QpdfValue = string | number | boolean | null | QpdfValue[] | { [key: string]: QpdfValue };

/** A dictionary in qpdf's JSON. */
export type QpdfDictionary = Record<string, QpdfValue>;

/** A bookmark; the first page is 1. */
export interface OutlineEntry {
  title: string;
  page: number | undefined;
  kids: OutlineEntry[];
}

/** The parts `pages` and `qpdf` of qpdf's JSON. */
export interface QpdfJson {
  pages: { object: string }[];
  qpdf: [unknown, Record<string, { value?: QpdfValue; stream?: { dict: QpdfDictionary } }>];
}

/** Reads the objects of a file with qpdf. @throws {Error} if qpdf cannot read it. */
export async function readQpdf(pdf: Uint8Array): Promise<QpdfObjects> {
  return new QpdfObjects((await readQpdfJson(pdf, ['pages', 'qpdf'])) as QpdfJson);
}

/**
 * Reads parts of qpdf's JSON, such as `pages` and `outlines`. @throws {Error} if qpdf cannot read the file.
 */
export async function readQpdfJson(pdf: Uint8Array, parts: readonly string[]): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-qpdf-'));
  try {
    const file = join(folder, 'input.pdf');
    await Bun.write(file, pdf);
    const keys = parts.map((part) => `--json-key=${part}`);
    const child = Bun.spawn(['qpdf', '--json=2', ...keys, '--json-stream-data=none', file], {
      stderr: 'pipe',
    });
    const [json, errors, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    // 3 means that qpdf read the file with warnings.
    if (exitCode !== 0 && exitCode !== 3) throw new Error(`qpdf exited with ${exitCode}: ${errors}`);
    return JSON.parse(json);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The objects of a file. */
export class QpdfObjects {
  readonly #json: QpdfJson;

  constructor(json: QpdfJson) {
    this.#json = json;
  }

  get catalog(): QpdfDictionary {
    return this.dictionary(this.dictionary(this.#object('trailer'))['/Root']);
  }

  get pages(): QpdfDictionary[] {
    return this.#json.pages.map(({ object }) => this.dictionary(object));
  }

  resolve(value: QpdfValue | undefined): QpdfValue | undefined {
    return typeof value === 'string' && / \d+ R$/.test(value) ? this.#object(`obj:${value}`) : value;
  }

  dictionary(value: QpdfValue | undefined): QpdfDictionary {
    const resolved = this.resolve(value);
    return resolved && typeof resolved === 'object' && !Array.isArray(resolved) ? resolved : {};
  }

  list(value: QpdfValue | undefined): QpdfValue[] {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  }

  /** Lists the objects that are dictionaries, or streams with a dictionary, of a type such as `/Page`. */
  typed(type: string): QpdfDictionary[] {
    return Object.keys(this.#json.qpdf[1])
      .map((key) => this.dictionary(this.#object(key)))
      .filter((dictionary) => dictionary['/Type'] === type);
  }

  /**
   * Lists the keys of objects that are not reachable from the trailer. The file's own object and
   * cross-reference streams do not count.
   */
  unreached(): string[] {
    const objects = this.#json.qpdf[1];
    const reached = new Set<string>();
    const queue: QpdfValue[] = [this.#object('trailer') ?? null];
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      if (typeof value === 'string') {
        const key = `obj:${value}`;
        if (!(key in objects) || reached.has(key)) continue;
        reached.add(key);
        queue.push(this.#object(key) ?? null);
      } else if (value && typeof value === 'object') queue.push(...Object.values(value));
    }
    return Object.keys(objects).filter((key) => key !== 'trailer' && !reached.has(key));
  }

  /** Lists the target pages of a page's links, from 1; `undefined` for a link out of the file. */
  linkTargets(page: QpdfDictionary): (number | undefined)[] {
    return this.list(page['/Annots'])
      .map((annotation) => this.dictionary(annotation))
      .filter((annotation) => annotation['/Subtype'] === '/Link')
      .map((annotation) => this.#target(annotation));
  }

  outline(parent = this.dictionary(this.catalog['/Outlines'])): OutlineEntry[] {
    const entries: OutlineEntry[] = [];
    for (let next = parent['/First']; next !== undefined;) {
      const item = this.dictionary(next);
      const title = this.resolve(item['/Title']);
      entries.push({
        title: typeof title === 'string' ? title.slice(2) : '',
        page: this.#target(item),
        kids: this.outline(item),
      });
      next = item['/Next'];
    }
    return entries;
  }

  #target(item: QpdfDictionary): number | undefined {
    const given = this.resolve(item['/Dest'] ?? this.dictionary(item['/A'])['/D']);
    const [page] = this.list(typeof given === 'string' ? this.#named(given) : given);
    const index = this.#json.pages.findIndex(({ object }) => object === page);
    return index < 0 ? undefined : index + 1;
  }

  #named(name: string): QpdfValue | undefined {
    if (name.startsWith('/')) return this.dictionary(this.catalog['/Dests'])[name];
    const names = this.list(this.dictionary(this.dictionary(this.catalog['/Names'])['/Dests'])['/Names']);
    return names[names.indexOf(name) + 1];
  }

  #object(key: string): QpdfValue | undefined {
    const object = this.#json.qpdf[1][key];
    return object?.stream ? object.stream.dict : object?.value;
  }
}
