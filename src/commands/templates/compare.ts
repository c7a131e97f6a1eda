import { posix } from 'node:path';
import { createTwoFilesPatch, diffLines } from 'diff';
import { digestOf, isSameContent, withPlainLines, type TemplateFiles } from './state.ts';

/**
 * How a template in a folder relates to the server, with the state of the last pull or push as the base:
 *
 * - `equal`: both are the same;
 * - `here`: only the folder has changed;
 * - `there`: only the server has changed;
 * - `both`: both have changed, or the base is unknown.
 */
export type Relation = 'equal' | 'here' | 'there' | 'both';

/** Compares the files of a folder and of a server with the hash of their base. */
export function compareFiles(
  local: TemplateFiles,
  remote: TemplateFiles,
  base: string | undefined,
): Relation {
  const [here, there] = [digestOf(local), digestOf(remote)];
  if (here === there) return 'equal';
  if (there === base) return 'here';
  return here === base ? 'there' : 'both';
}

/** A file that differs. Counts of lines are `null` for a file that is not text. */
export interface FileChange {
  path: string;
  kind: 'added' | 'changed' | 'deleted';
  added: number | null;
  removed: number | null;
}

/** Longer texts are compared as a whole, because the time of a comparison grows with the changes. */
const MAX_EDITS = 20_000;

/** Lists the files that differ, in the order of `from`, then the new ones. */
export function listChanges(from: TemplateFiles, to: TemplateFiles): FileChange[] {
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((path): FileChange[] => {
    const [before, after] = [from.get(path), to.get(path)];
    if (before !== undefined && after !== undefined && isSameContent(before, after)) return [];
    const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
    if (isBinary(before) || isBinary(after)) return [{ path, kind, added: null, removed: null }];
    const [left, right] = [textOf(before), textOf(after)];
    const parts = diffLines(left, right, { maxEditLength: MAX_EDITS });
    const count = (isCounted: (part: { added: boolean; removed: boolean }) => boolean, whole: string) =>
      parts ? parts.filter(isCounted).reduce((sum, part) => sum + part.count, 0) : whole.split('\n').length;
    return [
      {
        path,
        kind,
        added: count(({ added }) => added, right),
        removed: count(({ removed }) => removed, left),
      },
    ];
  });
}

/** Describes a changed file in one line, such as `template.html  +3 -1`. */
export function describeChange({ path, kind, added, removed }: FileChange): string {
  if (kind === 'added') return `${path}  new`;
  if (kind === 'deleted') return `${path}  deleted`;
  return added === null ? `${path}  changed` : `${path}  +${added} -${removed}`;
}

/**
 * Returns the unified differences of files of two states of a template, as `git apply` reads them: the
 * headings are `a/<path>` and `b/<path>`, with the path in `folder`. An absent file is `/dev/null`.
 */
export function unifiedDiff(
  paths: readonly string[],
  { folder, from, to }: { folder: string; from: TemplateFiles; to: TemplateFiles },
): string {
  const nameOf = (side: 'a' | 'b', path: string) => posix.join(side, folder, path);
  return paths
    .map((path) => {
      const [left, right] = [from.get(path), to.get(path)];
      const names = [
        left === undefined ? '/dev/null' : nameOf('a', path),
        right === undefined ? '/dev/null' : nameOf('b', path),
      ] as const;
      if (isBinary(left) || isBinary(right)) return `Binary files ${names[0]} and ${names[1]} differ\n`;
      const patch = createTwoFilesPatch(...names, textOf(left), textOf(right), undefined, undefined, {
        context: 3,
        maxEditLength: MAX_EDITS,
      });
      if (patch === undefined) return `Files ${names[0]} and ${names[1]} differ in too many lines\n`;
      return patch.slice(patch.indexOf('--- '));
    })
    .join('');
}

function isBinary(content: string | Uint8Array | undefined): boolean {
  return content !== undefined && typeof content !== 'string';
}

function textOf(content: string | Uint8Array | undefined): string {
  return typeof content === 'string' ? withPlainLines(content) : '';
}
