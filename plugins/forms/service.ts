import { AppError, type FileStore, type TaskClient } from '../../src/plugin.ts';
import { handOver, linkTo, settle, taskLimits } from '../pdf-tools/contract.ts';
import { MAX_SNIPPET_BOXES, type RenderService } from '../render/contract.ts';
import { drawnTextHtml, type DrawnText } from './appearance/drawn-text.ts';
import type { FormsService } from './contract.ts';

/** The tasks of `tasks.ts`, called in the tool process. */
export type FormTasks = TaskClient<typeof import('./tasks.ts')>;

/** What the service works with. */
export interface FormParts {
  tasks: FormTasks;
  files: FileStore;
  /** `undefined` when the plugin is off. */
  render: RenderService | undefined;
}

/** Makes the operations over the tool process and the file store. */
export function createFormsService({ tasks, files, render }: FormParts): FormsService {
  async function draw(accountId: string, texts: readonly DrawnText[]): Promise<Uint8Array[]> {
    if (!render)
      throw new AppError(
        'NOT_IMPLEMENTED',
        'text beyond Latin is drawn by the plugin "render", which is off',
      );
    const drawn: Uint8Array[] = [];
    for (let start = 0; start < texts.length; start += MAX_SNIPPET_BOXES) {
      const boxes = texts.slice(start, start + MAX_SNIPPET_BOXES).map((text) => ({
        html: drawnTextHtml(text),
        widthPt: text.width,
        heightPt: text.height,
        fit: { minPt: text.size.min, maxPt: text.size.max },
      }));
      drawn.push(await render.drawSnippets(accountId, boxes));
    }
    return drawn;
  }

  return {
    list: (pdf) => settle('pdf', tasks.list({ pdf }, taskLimits)),
    async fillIn({ account, ...order }, output) {
      let filled = await settle('pdf', tasks.fillIn(order, taskLimits));
      if ('wanted' in filled) {
        const drawn = await draw(account.id, filled.wanted);
        const again = { ...order, drawn };
        filled = await settle('pdf', tasks.fillIn(again, taskLimits));
      }
      if ('wanted' in filled) throw new Error('a form wants more than was drawn');
      return handOver(files, filled.pdf, output);
    },
    link: (fileId) => linkTo(files, fileId),
  };
}
