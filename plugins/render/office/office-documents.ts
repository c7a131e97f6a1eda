import type { Urgency } from '@platen/runtime';
import {
  AppError,
  explainTaskFailure,
  notFound,
  RawJson,
  workContext,
  type Sandbox,
} from '../../../src/plugin.ts';
import type { AssetSource } from '../../assets/contract.ts';
import type { OfficeService } from '../../office/contract.ts';
import type { TemplateFormat, TemplateSource } from '../../templates/contract.ts';
import type { DocumentRequest } from '../contract.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import { RenderError, toTemplateError } from '../render-error.ts';
import { noteSchemaFaults } from '../source/source.ts';
import { formatOf, requireOffice } from './check-request.ts';

/** A document from a template that is an office file. */
export interface OfficeJob {
  request: DocumentRequest;
  accountId: string;
  urgency: Urgency;
  receipt: ReceiptDraft | undefined;
}

/** A filled file and its format. */
interface FilledFile {
  file: Uint8Array;
  format: Exclude<TemplateFormat, 'html'>;
}

/** Makes documents from templates that are office files. */
export interface OfficeDocuments {
  /**
   * Fills the stored template of a request; `undefined` for any other source.
   * @throws {RenderError} TEMPLATE_ERROR with the place of the tag
   * @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy
   */
  fill(job: OfficeJob): Promise<FilledFile | undefined>;
  /** Converts a filled file to a PDF. @throws {RenderError}; {AppError} NOT_CONFIGURED without LibreOffice */
  print(job: OfficeJob, filled: FilledFile): Promise<{ pdf: Uint8Array; pages: number }>;
}

const TIMEOUT_MS = 10_000;

const FAILURES = {
  path: 'template',
  deadline: `filling the template takes longer than ${TIMEOUT_MS} ms`,
  memory: 'filling the template exceeds the memory limit',
  waiting: 'templates',
  failed: 'the template could not be filled',
};

const NO_DATA = RawJson.of({});

/** The services that {@link createOfficeDocuments} uses. */
interface OfficeParts {
  templates: TemplateSource | undefined;
  assets: AssetSource | undefined;
  office: OfficeService | undefined;
  sandbox: Sandbox;
}

export function createOfficeDocuments(parts: OfficeParts): OfficeDocuments {
  const { templates, office, sandbox } = parts;
  const tasks = sandbox.load<typeof import('./tasks.ts')>(new URL('./tasks.ts', import.meta.url));

  async function fillFile(accountId: string, file: Uint8Array, data: RawJson) {
    const assets = new Map<string, Uint8Array | null>();
    for (;;) {
      const input = { file, data: data.bytes, assets };
      const result = await tasks.fillFile(input, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        throw toTemplateError(explainTaskFailure(error, FAILURES));
      });
      if (!result.ok) throw new RenderError('TEMPLATE_ERROR', result.message, { path: 'template' });
      const { value } = result;
      if (!value.needs) return value;
      const set = await parts.assets?.open(accountId);
      for (const name of value.needs) {
        const content = await set?.read(name);
        assets.set(name, content ? Buffer.from(content.base64, 'base64') : null);
      }
    }
  }

  return {
    async fill({ request, accountId, receipt }) {
      const { source, data = NO_DATA } = request;
      const format = await formatOf(accountId, request, parts);
      if (!('templateId' in source) || !templates || format === null || format === 'html') return undefined;
      receipt?.clock.enter('template');
      const found = await templates.find(accountId, source.templateId, source.templateVersion);
      const file = found?.file && (await templates.readFile?.(found.file));
      if (!found || !file) throw notFound(`template ${source.templateId}`);
      noteSchemaFaults(await templates.checkData(found.schema, data), receipt);
      const filled = await fillFile(accountId, file, data);
      receipt?.noteMissingVariables(filled.missing);
      return { file: filled.file, format };
    },
    async print({ request, accountId, receipt }, { file, format }) {
      const { outline, pageRanges } = request.options ?? {};
      receipt?.clock.enter('print');
      const converting = requireOffice(office).convert({
        account: { id: accountId },
        file,
        fileName: `document.${format}`,
        fileType: format,
        options: { ...(outline !== undefined && { outline }), ...(pageRanges && { pages: pageRanges }) },
        signal: workContext.getStore()?.signal,
      });
      return converting.catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
        const [{ path, message } = { path: 'file', message: error.message }] = error.details;
        const field = path === 'pages' ? 'options.pageRanges' : 'template';
        throw new RenderError('RENDER_FAILED', message, { path: field, cause: error });
      });
    },
  };
}
