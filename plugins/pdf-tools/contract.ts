import type { AccountInput, RawJson, RouteInput, Type } from '../../src/plugin.ts';
import type { MadePdf } from '../files/contract.ts';
import type { PipelineBody } from './pipeline/schema.ts';

/** A step of {@link PdfToolsService.run}: the operation `do` with the fields of its route. */
export interface OperationStep {
  do: string;
  [field: string]: unknown;
}

/** The part of a route's input, or of a job, on whose behalf operations run. */
export type Caller = Pick<AccountInput, 'account' | 'isTest'> &
  Pick<RouteInput<unknown, unknown, unknown>, 'signal' | 'reserveMemory'>;

/** The work of {@link PdfToolsService.run}. */
export interface OperationsRequest {
  /** The PDFs that the first step takes; several only for a step that takes several, such as `merge`. */
  pdfs: readonly Uint8Array[];
  /** Each step takes the result of the previous one. File fields are `{ raw }` or base64. */
  steps: readonly OperationStep[];
  /**
   * Allows the step `protect` even while `plugins.pdf-tools.protect` is off, for a plugin whose callers
   * expect encryption. Default: false.
   */
  allowProtection?: boolean;
}

/**
 * The result of the last step: a PDF, the parts of a split PDF, or the response of an operation that only
 * reads, such as `outline` without `set`.
 */
export type OperationsResult = { made: MadePdf } | { parts: MadePdf[] } | { answer: RawJson };

/** An operation that can be a step of a pipeline. */
export interface StepDescription {
  /** The value of `do`. */
  name: string;
  summary: string;
  /** The schema of the step, with `do`. */
  schema: ReturnType<typeof Type.Object>;
  /** The reason why the service does not run the step, if the operator has switched it off. */
  disabled?: string;
}

/** The service of the plugin. */
export interface PdfToolsService {
  /** Whether the operator allows PDFs to be protected with passwords. */
  readonly mayProtect: boolean;
  /** Whether the operator has configured a time stamping authority, which signatures above B-B need. */
  readonly hasTimestamps: boolean;
  /**
   * Runs operations like the steps of `POST /v1/pdf/pipeline`, with the same validation, limits and shares of
   * accounts, but neither stores nor delivers the result. The account of the caller pays, its signal ends the
   * work, and results for a test key are marked.
   * @throws {AppError} VALIDATION_ERROR and others, whose fields begin with the index of the step:
   * `steps.2.opacity`, or `steps.0.pdfs[3]` for a faulty PDF among several
   */
  run(caller: Caller, request: OperationsRequest): Promise<OperationsResult>;
  /** The operations that can be steps. */
  readonly steps: readonly StepDescription[];
  /**
   * Runs the steps of a request like `POST /v1/pdf/pipeline`, whose response it returns: the result is
   * stored. The body must have no `generate`, and its PDFs are ids.
   * @throws {AppError} as that route does
   */
  deliver(caller: Caller, body: Omit<PipelineBody, 'generate'>): Promise<unknown>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    'pdf-tools': PdfToolsService;
  }
}
