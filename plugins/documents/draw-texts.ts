import type { BrowserText, Result } from '@platen/pdf';
import { AppError } from '../../src/plugin.ts';
import { unwrapTaskResult } from '../files/exports.ts';
import type { MadePdf } from '../files/contract.ts';
import { browserTextHtml } from './browser-text-html.ts';
import { MAX_SNIPPET_BOXES, type SnippetDrawing } from './snippet-box.ts';

/** Work on a form that may need texts drawn by the browser. */
export interface FormWork<Made extends MadePdf> {
  /** The plugin `render`, or `undefined` if it is off. */
  render: SnippetDrawing | undefined;
  /** The account whose share of the browser is used. */
  accountId: string;
  /** Runs the task, with the drawn texts if an earlier run asked for any. */
  run: (drawn: Uint8Array[] | undefined) => Promise<Result<Made | { toDraw: BrowserText[] }>>;
  timeoutMs?: number;
}

/**
 * Runs a task, and runs it again with the drawn texts if it asks for any.
 * @throws {AppError} VALIDATION_ERROR if the task fails; NOT_IMPLEMENTED for text that needs the plugin
 * `render` if it is off.
 */
export async function runFormTask<Made extends MadePdf>({
  render,
  accountId,
  run,
  timeoutMs,
}: FormWork<Made>): Promise<Made> {
  const first = await unwrapTaskResult('pdf', run(undefined), timeoutMs);
  if (!('toDraw' in first)) return first;
  const drawn = await drawTexts(render, accountId, first.toDraw);
  const second = await unwrapTaskResult('pdf', run(drawn), timeoutMs);
  if ('toDraw' in second) throw new Error('the second run asked for further texts');
  return second;
}

async function drawTexts(
  render: SnippetDrawing | undefined,
  accountId: string,
  texts: readonly BrowserText[],
): Promise<Uint8Array[]> {
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
