import { STATUS_CODES } from 'node:http';
import type { PageFacts, PageFault } from '../../render/contract.ts';

/** The facts about a page for which a form asks for a failure. */
export interface FailureRules {
  failOnHttpStatusCodes: readonly number[];
  failOnResourceHttpStatusCodes: readonly number[];
  ignoreResourceHttpStatusDomains: readonly string[];
  failOnResourceLoadingFailed: boolean;
  failOnConsoleExceptions: boolean;
  failOnConsoleMessageTypes: readonly string[];
}

/** A response of Gotenberg to a page that failed, with the fault that the generation records. */
export interface Rejection extends PageFault {
  status: 400 | 403 | 409;
}

/** Tells whether the rules can concern a document that is not loaded from the network. */
export function judgesResources(rules: FailureRules): boolean {
  return (
    rules.failOnResourceHttpStatusCodes.length > 0 ||
    rules.failOnResourceLoadingFailed ||
    rules.failOnConsoleExceptions ||
    rules.failOnConsoleMessageTypes.length > 0
  );
}

/**
 * Judges a page as Gotenberg does: the page itself first, and its resources and scripts once it is complete.
 */
export function judge(facts: PageFacts, rules: FailureRules): Rejection | undefined {
  return judgePage(facts, rules) ?? (facts.isComplete ? judgeResources(facts, rules) : undefined);
}

function judgePage({ refusedUrl, response, failure }: PageFacts, rules: FailureRules): Rejection | undefined {
  // The lists of the operator deny a redirect.
  const isDenied = failure === 'net::ERR_ACCESS_DENIED' && !response;
  if (refusedUrl !== null || isDenied)
    return { status: 403, code: 'NAVIGATION_BLOCKED', message: 'Forbidden' };
  if (response && includesStatus(rules.failOnHttpStatusCodes, response.status)) {
    const { status, statusText } = response;
    return {
      status: 409,
      code: 'ASSET_FAILED',
      message: `Invalid HTTP status code from the main page: ${status}: ${statusText || (STATUS_CODES[status] ?? '')}`,
    };
  }
  if (failure === null || response) return undefined;
  return { status: 400, code: 'NAVIGATION_BLOCKED', message: `Chromium returned ${failure}` };
}

function judgeResources(facts: PageFacts, rules: FailureRules): Rejection | undefined {
  const domains = rules.ignoreResourceHttpStatusDomains.map(normalizeDomain);
  const statuses = facts.responses.filter(
    ({ url, status }) => includesStatus(rules.failOnResourceHttpStatusCodes, status) && !isAt(url, domains),
  );
  if (statuses.length > 0) {
    const lines = statuses.map(({ url, status }) => `${url} - ${status}: ${STATUS_CODES[status] ?? ''}`);
    return conflict('ASSET_FAILED', `Invalid HTTP status code from resources:\n${lines.join('\n')}`);
  }
  if (rules.failOnConsoleExceptions && facts.exceptions.length > 0) {
    const texts = facts.exceptions.map(
      ({ text, line, column, description }) =>
        `\nexception ${JSON.stringify(text)} (${line}:${column})${description && `: ${description}`}`,
    );
    return conflict('SCRIPT_ERROR', `Chromium console exceptions:\n${texts.join('\n')}`);
  }
  if (rules.failOnResourceLoadingFailed && facts.failures.length > 0) {
    const lines = facts.failures
      .filter(({ type }) => type !== 'Document')
      .map(({ type, error }) => `resource ${type}: ${error}`);
    if (lines.length > 0)
      return conflict('ASSET_FAILED', `Chromium failed to load resources: ${lines.join('\n')}`);
  }
  const messages = facts.messages.filter(({ type }) => rules.failOnConsoleMessageTypes.includes(type));
  if (messages.length === 0) return undefined;
  const lines = messages.map(({ type, text }) => `${type}: ${text}`);
  return conflict('SCRIPT_ERROR', `Chromium console messages:\n${lines.join('\n')}`);
}

function conflict(code: PageFault['code'], message: string): Rejection {
  return { status: 409, code, message };
}

/** 499 stands for 400 to 499, and so on. */
function includesStatus(codes: readonly number[], status: number): boolean {
  return codes.includes(status) || codes.includes(Math.floor(status / 100) * 100 + 99);
}

/** Reads `example.com`, `*.example.com`, `.example.com`, `https://example.com/path` and `example.com:443`. */
function normalizeDomain(domain: string): string {
  const text = domain.trim().toLowerCase();
  const host = URL.parse(text.includes('://') ? text : `https://${text}`)?.hostname ?? text;
  return host.replace(/^\*\./, '').replace(/^\./, '');
}

function isAt(url: string, domains: readonly string[]): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return domains.some((domain) => domain !== '' && (host === domain || host.endsWith(`.${domain}`)));
}
