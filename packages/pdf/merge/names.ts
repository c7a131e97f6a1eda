import { asDict, buildNameTree, Dict, readNameTree, Ref, resolve, type PdfObject } from '../objects/index.ts';
import type { MergeInput } from './merge-input.ts';

/** The renamed destinations of each document. */
interface JoinedNames {
  destinations: Map<string, string>[];
}

/** Joins named destinations (names and strings), attachments, JavaScript and the other name trees. */
export function joinNames(inputs: readonly MergeInput[], catalog: Dict): JoinedNames {
  const taken = new UniqueNames();
  const byName: [string, PdfObject][] = [];
  const byString: [string, PdfObject][] = [];
  const destinations = inputs.map(({ document }) => {
    const plain = [...(document.catalog.dict('Dests')?.map ?? [])];
    const tree = readNameTree(document.catalog.dict('Names')?.dict('Dests'));
    const renamed = new Map<string, string>();
    // A name in both the dictionary and the tree denotes one destination.
    for (const key of new Set([...plain, ...tree].map(([destination]) => destination))) {
      const free = taken.claim(key);
      if (free !== key) renamed.set(key, free);
    }
    for (const [key, value] of plain) byName.push([renamed.get(key) ?? key, value]);
    for (const [key, value] of tree) byString.push([renamed.get(key) ?? key, value]);
    return renamed;
  });
  if (byName.length > 0) catalog.set('Dests', Ref.to(new Dict(byName)));
  const names = new Dict();
  if (byString.length > 0) names.set('Dests', Ref.to(buildNameTree(new Map(byString))));
  for (const kind of otherKinds(inputs)) names.set(kind, joinTrees(inputs, kind));
  if (names.map.size > 0) catalog.set('Names', names);
  return { destinations };
}

function otherKinds(inputs: readonly MergeInput[]): string[] {
  const kinds = inputs.flatMap(({ document }) => [...(document.catalog.dict('Names')?.map.keys() ?? [])]);
  // IDS and URLS belong to web capture information, which is not kept.
  return [...new Set(kinds)].filter((kind) => !['Dests', 'IDS', 'URLS'].includes(kind));
}

function joinTrees(inputs: readonly MergeInput[], kind: string): Ref | undefined {
  const joined = new Map<string, PdfObject>();
  const taken = new UniqueNames();
  for (const { document } of inputs) {
    const entries = readNameTree(document.catalog.dict('Names')?.dict(kind));
    for (const [key, value] of new Map(entries))
      if (!isUndecryptable(value)) joined.set(taken.claim(key), value);
  }
  return joined.size > 0 ? Ref.to(buildNameTree(joined)) : undefined;
}

/** Tells whether a file specification has only embedded files that cannot be decrypted without a password. */
export function isUndecryptable(value: PdfObject): boolean {
  const files = asDict(value)?.dict('EF');
  return files !== undefined && [...files.map.values()].every((file) => resolve(file) === null);
}

export class UniqueNames {
  readonly #taken = new Set<string>();
  /**
   * The next suffix for each name. Without it, many documents with the same names would take quadratic time.
   */
  readonly #next = new Map<string, number>();

  /** Returns the wanted name, or the name with the first free numeric suffix, and reserves it. */
  claim(wanted: string): string {
    const free = freeName(wanted, this.#taken, this.#next);
    this.#taken.add(free);
    return free;
  }
}

/** Returns the wanted name, or the name with the first free numeric suffix. */
export function freeName(
  wanted: string,
  taken: { has(key: string): boolean },
  next?: Map<string, number>,
): string {
  if (!taken.has(wanted)) return wanted;
  // The suffix of a UTF-16 name is UTF-16 too.
  const isUtf16 = wanted.startsWith('\u00fe\u00ff');
  for (let number = next?.get(wanted) ?? 2; ; number++) {
    const suffix = `-${number}`;
    const free = wanted + (isUtf16 ? suffix.replaceAll(/./g, '\0$&') : suffix);
    if (taken.has(free)) continue;
    next?.set(wanted, number + 1);
    return free;
  }
}
