import { AppError, StoreUnavailableError, type ErrorDetail } from '../../src/plugin.ts';
import { BrowserTimeoutError, DeadlineError } from './deadline.ts';
import { SourceFault } from './react/source-fault.ts';

/** The codes with which the `error` of a generation begins. `docs/errors.md` explains each. */
export type RenderFailure =
  | 'TEMPLATE_ERROR'
  | 'COMPONENT_ERROR'
  | 'SCRIPT_ERROR'
  | 'ASSET_FAILED'
  | 'MISSING_VARIABLE'
  | 'SCHEMA_MISMATCH'
  | 'MISSING_GLYPHS'
  | 'NAVIGATION_BLOCKED'
  | 'NO_ROOM'
  | 'NOTE_TOO_LONG'
  | 'NOT_ACCESSIBLE'
  | 'TOO_MANY_PAGES'
  | 'RENDER_TIMEOUT'
  | 'INVOICE_INVALID'
  | 'RENDER_FAILED'
  | 'STORAGE_ERROR';

/**
 * What caused a failure. It determines the status: 400 for the document, 500 for the service, 503 for an
 * unavailable dependency.
 */
export type FaultOwner = 'document' | 'service' | 'dependency';

/** The optional parts of a {@link RenderError}. */
interface RenderErrorOptions {
  /** `document` when absent. */
  owner?: FaultOwner;
  /** The field of the request with the fault, when it is not the source of the document. */
  path?: string | undefined;
  /** The faults, when there are several. */
  details?: readonly ErrorDetail[] | undefined;
  /** Logged, never sent. */
  cause?: unknown;
}

/** Thrown when rendering a document fails. */
export class RenderError extends Error {
  override name = 'RenderError';
  readonly code: RenderFailure;
  readonly owner: FaultOwner;
  readonly path: string | undefined;
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(
    code: RenderFailure,
    message: string,
    { owner = 'document', path, details, cause }: RenderErrorOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.owner = owner;
    this.path = path;
    this.details = details;
  }

  /** The `error` of the failed generation. */
  get reason(): string {
    return `${this.code}: ${this.path === undefined ? '' : `${this.path}: `}${this.message}`;
  }
}

/** Thrown within the renderer when a browser page crashes or is closed during a job. */
export class PageLostError extends Error {
  override name = 'PageLostError';
}

/**
 * Thrown within the renderer when a browser page crashes while its browser continues, for example because the
 * page needs too much memory.
 */
export class PageCrashedError extends PageLostError {
  override name = 'PageCrashedError';
}

/** Thrown when the browser does not start, which is not the fault of a document. */
export class BrowserUnavailableError extends Error {
  override name = 'BrowserUnavailableError';
}

/**
 * Converts an error about a printed PDF, which its document caused, to a {@link RenderError}. Returns other
 * errors unchanged.
 */
export function toDocumentFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  return new RenderError('RENDER_FAILED', error.message, { cause: error });
}

/**
 * Converts a fault that a step found to a {@link RenderError}, so that it is recorded. Returns other errors
 * unchanged.
 */
export function toFinishFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [{ path, message } = { path: undefined, message: error.message }] = error.details;
  return new RenderError('RENDER_FAILED', message, { path, cause: error });
}

const RETRY_AFTER_SECONDS = 5;

/** Converts an error of the renderer to a {@link RenderError}. Returns an {@link AppError} unchanged. */
export function toRenderError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof RenderError) return error;
  if (error instanceof SourceFault) return new RenderError('COMPONENT_ERROR', error.message);
  if (error instanceof BrowserTimeoutError)
    return new RenderError('RENDER_TIMEOUT', error.message, { owner: 'dependency', cause: error });
  if (error instanceof DeadlineError)
    return new RenderError('RENDER_TIMEOUT', error.message, { cause: error });
  if (error instanceof BrowserUnavailableError)
    return new RenderError('RENDER_FAILED', 'the browser did not start', {
      owner: 'dependency',
      cause: error,
    });
  if (error instanceof PageLostError) {
    const owner = error instanceof PageCrashedError ? 'document' : 'service';
    return new RenderError('RENDER_FAILED', `${error.message}, twice`, { owner, cause: error });
  }
  return new RenderError('RENDER_FAILED', 'the browser could not print the document', {
    owner: 'service',
    cause: error,
  });
}

/**
 * Converts the fault that a check found in a rendered template to a TEMPLATE_ERROR. Returns other errors
 * unchanged.
 */
export function toTemplateError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [{ path, message } = { path: '', message: error.message }] = error.details;
  return new RenderError('TEMPLATE_ERROR', message, { path, cause: error.cause });
}

/**
 * Converts a failure of the service to a {@link RenderError}, so that it is recorded. Returns a RenderError
 * unchanged, and an error that cannot be recorded (an unavailable store) or that ends the request before its
 * document is rendered (an unknown template, a full queue).
 */
export function toServiceFailure(error: unknown): unknown {
  if (error instanceof RenderError || error instanceof StoreUnavailableError) return error;
  if (!(error instanceof AppError))
    return new RenderError('RENDER_FAILED', 'an internal error occurred; the service log has the cause', {
      owner: 'service',
      cause: error,
    });
  const { code, message, cause } = error;
  if (code === 'UNAVAILABLE')
    return new RenderError('RENDER_FAILED', message, { owner: 'dependency', cause });
  if (code === 'INTERNAL_ERROR')
    return new RenderError('RENDER_FAILED', message, { owner: 'service', cause });
  return error;
}

/**
 * Converts a failure to the error for the caller. `source` is the field of the request that contains the
 * document.
 */
export function explainRenderError(
  error: RenderError,
  { message, source }: { message: string; source: string },
): AppError {
  const detail = { path: error.path ?? source, code: error.code, message: error.message };
  const details = error.details?.map(({ path, ...rest }) => ({ path: path || source, ...rest })) ?? [detail];
  const text = `${message}: ${error.reason}`;
  switch (error.owner) {
    case 'document':
      return new AppError('VALIDATION_ERROR', text, { details, cause: error });
    case 'service':
      return new AppError('INTERNAL_ERROR', text, { details, cause: error });
    case 'dependency':
      return new AppError('UNAVAILABLE', text, {
        details,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
  }
}
