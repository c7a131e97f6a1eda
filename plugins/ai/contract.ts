import type { Account } from '../../src/plugin.ts';
import type { Category } from '../documents/contract.ts';

/** The look of a template. */
export type TemplateStyle = 'professional' | 'modern' | 'minimal' | 'colorful';

/** Describes the template to write. */
export interface TemplateBrief {
  prompt: string;
  type: Category;
  style: TemplateStyle;
  /** Variables that the template must use, as dotted paths. */
  variables: readonly string[];
}

/** A request for a template. */
export interface GenerateTemplateRequest extends TemplateBrief {
  account: Account;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
}

/** A template that passed all checks and was printed once. */
export interface GeneratedTemplate {
  html: string;
  /** Every name that the template reads, as written in its block, and every requested name. */
  variables: readonly string[];
}

/** The service of the ai plugin. */
export interface AiService {
  /** Whether a provider is configured. */
  readonly isConfigured: boolean;
  /**
   * Has the provider write a template, checks it, and prints it once with placeholder data. An invalid answer
   * is sent back with the reason, once.
   * @throws {AppError} AI_NOT_CONFIGURED; AI_ERROR when the provider fails, without any of its text;
   * RATE_LIMITED when too many templates are being generated.
   * @throws the reason of the signal when it aborts.
   */
  generateTemplate(request: GenerateTemplateRequest): Promise<GeneratedTemplate>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    ai: AiService;
  }
}

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    AI_ERROR: 502;
    AI_NOT_CONFIGURED: 503;
  }
}
