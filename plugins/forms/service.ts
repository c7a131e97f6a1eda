import type { DrawnText, Filled, Result } from '@platen/pdf';
import { AppError, type FileStore, type TaskClient } from '../../src/plugin.ts';
import { handOver, linkTo, settle, taskLimits, type Output, type ResultFile } from '../pdf-tools/contract.ts';
import { MAX_SNIPPET_BOXES, type RenderService } from '../render/contract.ts';
import { drawnTextHtml } from './drawn-text-html.ts';
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

  /** Has a task work, and again when the browser has drawn what it wants. */
  async function finish(
    accountId: string,
    output: Output,
    work: (drawn: Uint8Array[] | undefined) => Promise<Result<Filled>>,
  ): Promise<ResultFile> {
    let done = await settle('pdf', work(undefined));
    if ('wanted' in done) done = await settle('pdf', work(await draw(accountId, done.wanted)));
    if ('wanted' in done) throw new Error('a form wants more than was drawn');
    return handOver(files, done.pdf, output);
  }

  return {
    list: (pdf) => settle('pdf', tasks.list({ pdf }, taskLimits)),
    fillIn: ({ account, ...order }, output) =>
      finish(account.id, output, (drawn) => tasks.fillIn({ ...order, drawn }, taskLimits)),
    add: ({ account, pdf, fields }, output) =>
      finish(account.id, output, (drawn) => tasks.add({ pdf, definitions: [...fields], drawn }, taskLimits)),
    link: (fileId) => linkTo(files, fileId),
  };
}
