import { asDict, buildNameTree, Dict, readNameTree, Ref, resolve, type PdfObject } from '../objects/index.ts';
import type { Member } from './member.ts';

/** How names that were taken are called now, one map for each document. */
export interface JoinedNames {
  destinations: Map<string, string>[];
}

/** Joins what documents have by name: destinations, of both kinds, attachments, scripts and the rest of their name trees. */
export function joinNames(members: readonly Member[], catalog: Dict): JoinedNames {
  const taken = new TakenNames();
  const byName: [string, PdfObject][] = [];
  const byString: [string, PdfObject][] = [];
  const destinations = members.map(({ document }) => {
    const plain = [...(document.catalog.dict('Dests')?.map ?? [])];
    const tree = readNameTree(document.catalog.dict('Names')?.dict('Dests'));
    const renamed = new Map<string, string>();
    // A name that stands for the same thing in both is one name.
    for (const key of new Set([...plain, ...tree].map(([own]) => own))) {
      const free = taken.take(key);
      if (free !== key) renamed.set(key, free);
    }
    for (const [key, value] of plain) byName.push([renamed.get(key) ?? key, value]);
    for (const [key, value] of tree) byString.push([renamed.get(key) ?? key, value]);
    return renamed;
  });
  if (byName.length > 0) catalog.set('Dests', Ref.to(new Dict(byName)));
  const names = new Dict();
  if (byString.length > 0) names.set('Dests', Ref.to(buildNameTree(new Map(byString))));
  for (const kind of otherKinds(members)) names.set(kind, joinTrees(members, kind));
  if (names.map.size > 0) catalog.set('Names', names);
  return { destinations };
}

function otherKinds(members: readonly Member[]): string[] {
  const kinds = members.flatMap(({ document }) => [...(document.catalog.dict('Names')?.map.keys() ?? [])]);
  // IDS and URLS belong to captured web content, whose catalog entry is not kept.
  return [...new Set(kinds)].filter((kind) => !['Dests', 'IDS', 'URLS'].includes(kind));
}

function joinTrees(members: readonly Member[], kind: string): Ref | undefined {
  const joined = new Map<string, PdfObject>();
  const taken = new TakenNames();
  for (const { document } of members) {
    const own = readNameTree(document.catalog.dict('Names')?.dict(kind));
    for (const [key, value] of new Map(own)) if (!isSealed(value)) joined.set(taken.take(key), value);
  }
  return joined.size > 0 ? Ref.to(buildNameTree(joined)) : undefined;
}

/** Tells whether an attachment has none of its files: they need a password. */
function isSealed(value: PdfObject): boolean {
  const files = asDict(value)?.dict('EF');
  return files !== undefined && [...files.map.values()].every((file) => resolve(file) === null);
}

/** Names that are given away, each once. */
export class TakenNames {
  readonly #taken = new Set<string>();
  /** The number to try next: many documents with the same names would otherwise all count from 2. */
  readonly #next = new Map<string, number>();

  /** Takes a name: itself, or with the first number behind it that makes it new. */
  take(wanted: string): string {
    const free = freeName(wanted, this.#taken, this.#next);
    this.#taken.add(free);
    return free;
  }
}

/** A name that nothing has yet: itself, or with the first number behind it that makes it new. */
export function freeName(
  wanted: string,
  taken: { has(key: string): boolean },
  next?: Map<string, number>,
): string {
  if (!taken.has(wanted)) return wanted;
  // A name in UTF-16 is continued in UTF-16.
  const wide = wanted.startsWith('\u00fe\u00ff');
  for (let number = next?.get(wanted) ?? 2; ; number++) {
    const suffix = `-${number}`;
    const free = wanted + (wide ? suffix.replaceAll(/./g, '\0$&') : suffix);
    if (taken.has(free)) continue;
    next?.set(wanted, number + 1);
    return free;
  }
}
