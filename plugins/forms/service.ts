import type { BrowserText, Result } from '@platen/pdf';
import {
  AppError,
  pdfTaskLimits,
  RawJson,
  unwrapTaskResult,
  type MadePdf,
  type TaskClient,
} from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import { MAX_SNIPPET_BOXES } from '../render/exports.ts';
import { browserTextHtml } from './browser-text-html.ts';
import type { FormsService } from './contract.ts';
import type { CountedFormResult } from './tasks.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
type FormTasks = TaskClient<typeof import('./tasks.ts')>;

/** The dependencies of the service. */
interface FormParts {
  tasks: FormTasks;
  /** The plugin `render`, or `undefined` if it is off. */
  render: RenderService | undefined;
}

/** Creates the service, whose work runs in the sandbox. */
export function createFormsService({ tasks, render }: FormParts): FormsService {
  async function draw(accountId: string, texts: readonly BrowserText[]): Promise<Uint8Array[]> {
    if (!render)
      throw new AppError('NOT_IMPLEMENTED', 'text in this script needs the plugin "render", which is off');
    const drawn: Uint8Array[] = [];
    for (let start = 0; start < texts.length; start += MAX_SNIPPET_BOXES) {
      const boxes = texts.slice(start, start + MAX_SNIPPET_BOXES).map((text) => ({
        html: browserTextHtml(text),
        widthPt: text.width,
        heightPt: text.height,
        fit: { minPt: text.size.min, maxPt: text.size.max },
      }));
      drawn.push(await render.drawSnippets(accountId, boxes));
    }
    return drawn;
  }

  /** Runs a task, and runs it again with the drawn texts if it asks for any. */
  async function finish(
    accountId: string,
    work: (drawn: Uint8Array[] | undefined) => Promise<Result<CountedFormResult>>,
  ): Promise<MadePdf> {
    let done = await unwrapTaskResult('pdf', work(undefined));
    if ('toDraw' in done) done = await unwrapTaskResult('pdf', work(await draw(accountId, done.toDraw)));
    if ('toDraw' in done) throw new Error('the second run asked for further texts');
    return done;
  }

  return {
    list: async (pdf) => new RawJson(await unwrapTaskResult('pdf', tasks.list({ pdf }, pdfTaskLimits))),
    fillIn: ({ account, ...request }) =>
      finish(account.id, (drawn) => tasks.fillIn({ ...request, drawn }, pdfTaskLimits)),
    add: ({ account, pdf, fields }) =>
      finish(account.id, (drawn) => tasks.add({ pdf, definitions: [...fields], drawn }, pdfTaskLimits)),
  };
}
