import { AppError } from '../../src/plugin.ts';
import { DeadlineError } from './deadline.ts';
import { SourceFault } from './react/source-fault.ts';

/** Why there is no PDF, as a generation's `error` begins. */
export type RenderFailure =
  | 'RENDER_TIMEOUT'
  | 'RENDER_FAILED'
  | 'TEMPLATE_ERROR'
  | 'ASSET_FAILED'
  | 'STORAGE_ERROR';

/** Thrown when a document could not be printed; the code is that of the generation's `error`. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderFailure;

  constructor(code: RenderFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Thrown inside the renderer when the page went away under a job. */
export class PageLostError extends Error {
  override name = 'PageLostError';
}

/** Thrown when no browser can be started: the service's state, no document's fault. */
export class BrowserUnavailableError extends Error {
  override name = 'BrowserUnavailableError';
}

/** Says why there is no PDF; what a caller got wrong stays as it is. */
export function toRenderError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof RenderError) return error;
  if (error instanceof SourceFault) return new RenderError('TEMPLATE_ERROR', error.message);
  if (error instanceof DeadlineError) return new RenderError('RENDER_TIMEOUT', error.message, error);
  if (error instanceof BrowserUnavailableError)
    return new RenderError('RENDER_FAILED', 'the browser does not start', error);
  if (error instanceof PageLostError)
    return new RenderError('RENDER_FAILED', `${error.message}, twice`, error);
  return new RenderError('RENDER_FAILED', 'the browser could not print the document', error);
}
