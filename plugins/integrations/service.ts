import { AppError, invalid, type Account, type RawJson } from '../../src/plugin.ts';
import type { Generation, GenerateOptions, RenderService, Source } from '../render/contract.ts';

/** What the action makes a PDF of. */
export interface ActionRequest {
  account: Account;
  html?: string | undefined;
  templateId?: string | undefined;
  data?: RawJson | undefined;
  options: GenerateOptions;
}

/**
 * Lists an account's newest generations that have ended, newest first, ties by id. A platform takes an item for known when it has seen its id:
 * one that is still being made would be reported without its PDF, and never again.
 */
export async function listEnded(
  render: Pick<RenderService, 'list'>,
  accountId: string,
  limit: number,
): Promise<Generation[]> {
  const lists = await Promise.all(
    (['completed', 'failed'] as const).map((status) => render.list(accountId, { status, limit, offset: 0 })),
  );
  return lists.flat().sort(newestFirst).slice(0, limit);
}

function newestFirst(one: Generation, other: Generation): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
}

/** Makes a PDF as `POST /v1/generate` does. @throws {AppError} as that; what is wrong is named as the flat body names it. */
export async function runAction(
  render: Pick<RenderService, 'generate'>,
  { account, html, templateId, data, options }: ActionRequest,
): Promise<Generation> {
  const source = readSource(html, templateId);
  try {
    return await render.generate({ account, source, data, options, output: 'url' });
  } catch (error) {
    throw inFlatNames(error);
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

function inFlatNames(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [detail] = error.details;
  const name = detail && FLAT_NAMES[detail.path];
  return detail && name !== undefined ? invalid(name, detail.message) : error;
}
