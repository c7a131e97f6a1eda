import { AppError } from '../../src/plugin.ts';
import { DeadlineError } from './deadline.ts';
import { SourceFault } from './react/source-fault.ts';

/** The codes with which the `error` of a generation begins. */
export type RenderFailure =
  | 'RENDER_TIMEOUT'
  | 'RENDER_FAILED'
  | 'TEMPLATE_ERROR'
  | 'ASSET_FAILED'
  | 'STORAGE_ERROR';

/** Thrown when a document could not be printed. Its code begins the generation's `error`. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderFailure;

  constructor(code: RenderFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Thrown within the renderer when a page crashes or is closed during a job. */
export class PageLostError extends Error {
  override name = 'PageLostError';
}

/** Thrown when the browser does not start, which is not the fault of a document. */
export class BrowserUnavailableError extends Error {
  override name = 'BrowserUnavailableError';
}

/** Converts an error of the renderer to a {@link RenderError}. An {@link AppError} stays as it is. */
export function toRenderError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof RenderError) return error;
  if (error instanceof SourceFault) return new RenderError('TEMPLATE_ERROR', error.message);
  if (error instanceof DeadlineError) return new RenderError('RENDER_TIMEOUT', error.message, error);
  if (error instanceof BrowserUnavailableError)
    return new RenderError('RENDER_FAILED', 'the browser did not start', error);
  if (error instanceof PageLostError)
    return new RenderError('RENDER_FAILED', `${error.message}, twice`, error);
  return new RenderError('RENDER_FAILED', 'the browser could not print the document', error);
}
