import type { TaskClient } from '../../../src/plugin.ts';
import { bool, type FieldValues } from '../form/fields.ts';
import { bookmarksField } from './fields.ts';
import { readInfo, readWith, withoutExtension } from './post-process.ts';
import type { Bookmark, Bookmarks, Engines, NamedPdf } from './processing.ts';

/** The fields of merging. */
export const mergeFields = {
  bookmarks: bookmarksField(false),
  autoIndexBookmarks: bool({ default: false, description: 'Keeps the bookmarks of the PDFs.' }),
  titleBookmarks: bool({
    default: false,
    description: 'Makes a bookmark for each PDF, above its own, with its title or the name of its file.',
  }),
};

interface Merged {
  pdfs: readonly NamedPdf[];
  values: FieldValues<typeof mergeFields>;
  tasks: TaskClient<typeof import('./task.ts')>;
}

/** Returns the outline of a merged PDF; `undefined` to leave it as it is. */
export async function mergedBookmarks(
  engines: Engines,
  { pdfs, values, tasks }: Merged,
): Promise<Bookmarks | undefined> {
  const { bookmarks, autoIndexBookmarks, titleBookmarks } = values;
  if (bookmarks && 'all' in bookmarks) return bookmarks;
  if (!bookmarks && !autoIndexBookmarks && !titleBookmarks) return undefined;
  const files = [];
  for (const pdf of pdfs) {
    const { title, pages } = await readInfo(engines, pdf);
    const given = bookmarks?.byFile.get(pdf.name) ?? [];
    const isOwn = given.length === 0 && (autoIndexBookmarks || titleBookmarks);
    files.push({
      title: titleBookmarks ? title || withoutExtension(pdf.name) : undefined,
      bookmarks: isOwn ? undefined : given,
      outline: isOwn ? await readWith(engines, pdf, 'outline') : new Uint8Array(),
      pages,
    });
  }
  const all = await tasks.joinOutlines({ files });
  return { all: all as Bookmark[] };
}
