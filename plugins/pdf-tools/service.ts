import {
  AppError,
  explainTaskFailure,
  invalid,
  LINK_LIFETIME_MS,
  newId,
  type FileStore,
  type TaskClient,
  type TaskResult,
} from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';
import type { Output, PdfToolsService, ResultFile, SignRequest } from './contract.ts';
import { STAMP_FIT, stampHtml } from './sign/appearance.ts';
import { cleanText, isVisible, stampLines, type StampText } from './sign/stamp-text.ts';

/** What a call may take in the tool process; the largest files need a fifth of it on a busy machine. */
const TASK_TIMEOUT_MS = 20_000;

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
  async function hand(pdf: Uint8Array, output: Output): Promise<ResultFile> {
    const sizeBytes = pdf.length;
    if (output === 'base64') return { sizeBytes, bytes: pdf };
    const fileId = newId('file_');
    await files.put(fileId, pdf);
    return { sizeBytes, fileId };
  }

  return {
    async merge(pdfs, output) {
      return hand(await settle('pdfs', tasks.merge({ pdfs: [...pdfs] }, limits)), output);
    },
    async split(pdf, ranges, output) {
      const parts = await settle(
        'pdf',
        tasks.split({ pdf, ranges: ranges?.map((range) => [...range]) }, limits),
      );
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
      const size = { widthPt: width, heightPt: height };
      const face = await render.drawSnippet({ accountId: account.id, html, ...size, fit: STAMP_FIT });
      const task = { pdf, page, box: { x, y, width, height }, text, at, face };
      return hand(await settle('pdf', tasks.sign(task, limits)), output);
    },
    info: (pdf) => settle('pdf', tasks.info({ pdf }, limits)),
    link: (fileId) => files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS }),
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

const limits = { timeoutMs: TASK_TIMEOUT_MS };

const blame = {
  deadline: `takes longer than ${TASK_TIMEOUT_MS / 1000} s to work on; it may be damaged`,
  memory: 'needs more memory to work on than it may have; it may be damaged',
  waiting: 'PDFs',
  failed: 'the PDF could not be worked on',
};

/** Gives a task's value, or throws what the caller is to be told; `field` is what is blamed when the tool process did not survive. */
async function settle<T>(field: string, call: Promise<TaskResult<T>>): Promise<T> {
  const result = await call.catch((error: unknown) => {
    throw explainTaskFailure(error, { ...blame, path: field });
  });
  if (!result.ok) throw invalid(result.part ?? field, result.message);
  return result.value;
}
