import type { DrawnText, Filled, Result } from '@platen/pdf';
import { AppError, pdfTaskLimits, RawJson, unwrapTaskResult, type TaskClient } from '../../src/plugin.ts';
import { MAX_SNIPPET_BOXES, type RenderService } from '../render/contract.ts';
import { drawnTextHtml } from './drawn-text-html.ts';
import type { FormsService } from './contract.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
export type FormTasks = TaskClient<typeof import('./tasks.ts')>;

/** What the service works with. */
export interface FormParts {
  tasks: FormTasks;
  /** `undefined` when the plugin is off. */
  render: RenderService | undefined;
}

/** Makes the operations over the sandbox. */
export function createFormsService({ tasks, render }: FormParts): FormsService {
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
    work: (drawn: Uint8Array[] | undefined) => Promise<Result<Filled>>,
  ): Promise<Uint8Array> {
    let done = await unwrapTaskResult('pdf', work(undefined));
    if ('wanted' in done) done = await unwrapTaskResult('pdf', work(await draw(accountId, done.wanted)));
    if ('wanted' in done) throw new Error('a form wants more than was drawn');
    return done.pdf;
  }

  return {
    list: async (pdf) => new RawJson(await unwrapTaskResult('pdf', tasks.list({ pdf }, pdfTaskLimits))),
    fillIn: ({ account, ...order }) =>
      finish(account.id, (drawn) => tasks.fillIn({ ...order, drawn }, pdfTaskLimits)),
    add: ({ account, pdf, fields }) =>
      finish(account.id, (drawn) => tasks.add({ pdf, definitions: [...fields], drawn }, pdfTaskLimits)),
  };
}
