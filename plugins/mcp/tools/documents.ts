import { notFound } from '../../../src/plugin.ts';
import type { FilesService, PagedPdf } from '../../files/contract.ts';
import type { Generation, RenderService } from '../../render/contract.ts';
import type { Caller } from '../tool.ts';

const GENERATION = 'gen_';
const MAX_SHOWN_CHARACTERS = 40;

/** The stored documents of an account: generations and files, by their ids. */
export interface Documents {
  /**
   * Finds the pages of a document.
   * @throws {AppError} FORBIDDEN without the scope of its kind; NOT_FOUND; CONFLICT before it is made
   */
  find(id: string, caller: Caller): Promise<PagedPdf>;
  /** Finds the generation of an id that {@link find} has found; `undefined` for a file. */
  generation(id: string, caller: Caller): Promise<Generation | undefined>;
}

/** Creates the reader of documents. Without `render`, there are no generations. */
export function documentsOf({
  files,
  render,
}: {
  files: FilesService;
  render: RenderService | undefined;
}): Documents {
  return {
    async find(id, { account, requireScope }) {
      if (id.startsWith(GENERATION) && render) {
        requireScope('generations');
        return render.findPages(account.id, id);
      }
      requireScope('files');
      if (!id.startsWith('file_')) throw notFound(id.slice(0, MAX_SHOWN_CHARACTERS));
      const file = await files.get(account.id, id);
      return { fileId: file.id, pages: file.pages };
    },
    async generation(id, { account, reserveMemory }) {
      if (!id.startsWith(GENERATION) || !render) return undefined;
      return (await render.get(account.id, id, reserveMemory)).generation;
    },
  };
}
