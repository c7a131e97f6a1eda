import type { Account } from '../../src/plugin.ts';
import type { Category } from '../templates/contract.ts';

export { CATEGORIES as TEMPLATE_TYPES } from '../templates/contract.ts';

/** How a template can look. */
export const TEMPLATE_STYLES = ['professional', 'modern', 'minimal', 'colorful'] as const;

/** One of {@link TEMPLATE_STYLES}. */
export type TemplateStyle = (typeof TEMPLATE_STYLES)[number];

/** What a template is wanted for. */
export interface TemplateWish {
  prompt: string;
  type: Category;
  style: TemplateStyle;
  /** Names that the template must have, as dotted paths. */
  variables: readonly string[];
}

/** A request for a template. */
export interface GenerateTemplateRequest extends TemplateWish {
  account: Account;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** A template that was checked and printed once. */
export interface GeneratedTemplate {
  html: string;
  /** Every name that it reads, as it is written in its block, and every one that was asked for. */
  variables: readonly string[];
}

/** What the ai plugin does for others. */
export interface AiService {
  /**
   * Has the provider write a template, checks it, and prints it once with placeholder data. A bad answer goes back with the reason, once.
   * @throws {AppError} AI_NOT_CONFIGURED; AI_ERROR for whatever the provider fails at, with nothing of its text; RATE_LIMITED when too
   * many templates are being made. @throws the reason of the signal, when it is aborted.
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
