import { AppError, invalid, type FileStore, type TaskClient } from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import type { PdfToolsService, SignRequest } from './contract.ts';
import { handOver, linkTo, settle, taskLimits, type Output, type ResultFile } from './exchange.ts';
import { archiveLimits, settleArchive } from './archive-result.ts';
import { STAMP_FIT, stampHtml } from './operations/sign/stamp-html.ts';
import {
  cleanText,
  describeStamp,
  isVisible,
  stampLines,
  type StampText,
} from './operations/sign/stamp-text.ts';

/** The tasks of `tasks.ts`, called in the tool process. */
export type PdfTasks = TaskClient<typeof import('./tasks.ts')>;

/** Makes the operations over the tool process and the file store. */
export function createPdfToolsService({
  tasks,
  files,
  render,
}: {
  tasks: PdfTasks;
  files: FileStore;
  /** `undefined` when the plugin is off. */
  render: RenderService | undefined;
}): PdfToolsService {
  const hand = (pdf: Uint8Array, output: Output) => handOver(files, pdf, output);

  return {
    async merge(pdfs, output) {
      return hand(await settle('pdfs', tasks.merge({ pdfs: [...pdfs] }, taskLimits)), output);
    },
    async split(pdf, ranges, output) {
      const task = { pdf, ranges: ranges?.map((range) => [...range]) };
      const parts = await settle('pdf', tasks.split(task, taskLimits));
      const handed: ResultFile[] = [];
      for (const part of parts) handed.push(await hand(part, output));
      return handed;
    },
    async sign(request, output) {
      if (!render)
        throw new AppError('NOT_IMPLEMENTED', 'signatures are drawn by the plugin "render", which is off');
      const { account, pdf, page = 0, x = 50, y = 50, width = 200, height = 60 } = request;
      const text = readStampText(request);
      const at = Date.now();
      const html = stampHtml(stampLines(text, at), { width, height });
      const box = { html, widthPt: width, heightPt: height, fit: STAMP_FIT };
      const face = await render.drawSnippets(account.id, [box]);
      const task = {
        pdf,
        page,
        box: { x, y, width, height },
        id: `platen-signature-${crypto.randomUUID()}`,
        author: text.name,
        contents: describeStamp(text, at),
        at,
        face,
      };
      return hand(await settle('pdf', tasks.sign(task, taskLimits)), output);
    },
    async archive(request, output) {
      const archived = await settleArchive(tasks.archive({ ...request }, archiveLimits));
      return handOver(files, archived, output);
    },
    info: (pdf) => settle('pdf', tasks.info({ pdf }, taskLimits)),
    link: (fileId) => linkTo(files, fileId),
  };
}

function readStampText({ name, reason = '', location = '', contact = '' }: SignRequest): StampText {
  const text = {
    name: cleanText(name),
    reason: cleanText(reason),
    location: cleanText(location),
    contact: cleanText(contact),
  };
  if (!isVisible(text.name)) throw invalid('name', 'must be a name that can be seen');
  return text;
}
