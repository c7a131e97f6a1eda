import { AppError, type Account, type RawJson } from '../../src/plugin.ts';
import type { GenerateOptions } from '../documents/contract.ts';
import type {
  DeliveredGeneration,
  GenerateRequest,
  LinkedGeneration,
  RenderService,
  Source,
} from '../render/contract.ts';

interface ActionRequest {
  account: Account;
  attempt: GenerateRequest['attempt'];
  html?: string | undefined;
  templateId?: string | undefined;
  data?: RawJson | undefined;
  options: GenerateOptions;
}

/**
 * Lists an account's finished generations, either those for test keys or the others, newest first, then by
 * id. A platform reports each id only once, so a generation in progress would be reported without its PDF.
 */
export async function listFinished(
  render: Pick<RenderService, 'list'>,
  accountId: string,
  { test, limit }: { test: boolean; limit: number },
): Promise<LinkedGeneration[]> {
  const lists = await Promise.all(
    (['completed', 'failed'] as const).map((status) => render.list(accountId, { status, test, limit })),
  );
  return lists
    .flatMap(({ records }) => records)
    .sort(newestFirst)
    .slice(0, limit);
}

function newestFirst({ generation: a }: LinkedGeneration, { generation: b }: LinkedGeneration): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

/**
 * Generates a PDF like `POST /v1/generate`.
 * @throws {AppError} as `RenderService.generate`, with the field names of the flat body.
 */
export async function runAction(
  render: Pick<RenderService, 'generate'>,
  { account, attempt, html, templateId, data, options }: ActionRequest,
): Promise<DeliveredGeneration> {
  const source = readSource(html, templateId);
  try {
    return await render.generate({ account, attempt, source, data, options, output: 'url' });
  } catch (error) {
    throw withFlatNames(error);
  }
}

function readSource(html: string | undefined, templateId: string | undefined): Source {
  if (html !== undefined && templateId === undefined) return { html };
  if (templateId !== undefined && html === undefined) return { templateId };
  const message =
    html === undefined ? 'one of html and template_id is required' : 'send html or template_id, not both';
  throw new AppError('VALIDATION_ERROR', message, {
    details: ['html', 'template_id'].map((path) => ({ path, message })),
  });
}

const FLAT_NAMES: Readonly<Record<string, string>> = {
  template: 'template_id',
  'options.format': 'format',
  'options.orientation': 'orientation',
};

function withFlatNames(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [detail] = error.details;
  const name = detail && FLAT_NAMES[detail.path];
  if (detail === undefined || name === undefined) return error;
  // The message of a fault with a code does not begin with the path.
  const message = detail.code === undefined ? `${name}: ${detail.message}` : error.message;
  return new AppError(error.code, message, { details: [{ ...detail, path: name }], cause: error.cause });
}
