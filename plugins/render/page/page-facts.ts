import type { CDPSession } from 'playwright-core';
import { fromServer, readHead, type DecisionOf } from '../receipt/resource-log.ts';

/** A response to a request of a page, other than the page itself. */
export interface ResourceResponse {
  url: string;
  status: number;
}

/** A resource that did not load. */
export interface ResourceFailure {
  /** Chromium's name of the type: `Image`, `Stylesheet`, `Font` ... */
  type: string;
  /** Chromium's name of the error, such as `net::ERR_CONNECTION_REFUSED`. */
  error: string;
}

/** An uncaught exception, as Chromium reports it. Lines and columns start at 0. */
export interface PageException {
  text: string;
  line: number;
  column: number;
  /** The description of the thrown error with its stack, at most 2,000 characters. */
  description: string;
}

/** A message that a script wrote to the console. */
export interface PageMessage {
  /** Chromium's name of the type: `log`, `debug`, `info`, `error`, `warning` ... */
  type: string;
  text: string;
}

/** What happened while a page was loaded. Each list has at most 100 entries. */
export interface PageFacts {
  /** False until the document has met its conditions and its resources are loaded. */
  isComplete: boolean;
  /** The response of the web page; `null` without one, and for HTML. */
  response: { status: number; statusText: string } | null;
  /** Why the web page was not loaded; `null` when it was. */
  failure: string | null;
  /** True when the egress guard refused the web page, because its address is not public. */
  isRefused: boolean;
  responses: readonly ResourceResponse[];
  failures: readonly ResourceFailure[];
  exceptions: readonly PageException[];
  messages: readonly PageMessage[];
}

const MAX_ENTRIES = 100;
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_TYPES = 1_000;

/** Chromium's names of the errors that the egress guard reports in a response to a plain http request. */
const GUARD_ERRORS: Readonly<Record<string, string>> = {
  refused: 'net::ERR_CONNECTION_REFUSED',
  unresolvable: 'net::ERR_NAME_NOT_RESOLVED',
  unreachable: 'net::ERR_CONNECTION_REFUSED',
  timeout: 'net::ERR_CONNECTION_TIMED_OUT',
  unanswered: 'net::ERR_EMPTY_RESPONSE',
};

interface FactSources {
  session: CDPSession;
  decisionOf: DecisionOf;
  /** Tells whether a request loads the web page itself. */
  isNavigation: (requestId: string) => boolean;
  /** Tells whether a URL belongs to the document's own files. */
  isOwnFile: (url: string) => boolean;
}

/** Records the facts about a page from its navigation on. The page must not be used again afterwards. */
export class FactsLog {
  #response: PageFacts['response'] = null;
  #failure: string | null = null;
  #isRefused = false;
  readonly #responses: ResourceResponse[] = [];
  readonly #failures: ResourceFailure[] = [];
  readonly #exceptions: PageException[] = [];
  readonly #messages: PageMessage[] = [];
  readonly #urls = new Map<string, string>();

  readonly #sources: FactSources;

  constructor(sources: FactSources) {
    this.#sources = sources;
    const { session } = sources;
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (this.#urls.size < MAX_TYPES) this.#urls.set(requestId, request.url);
    });
    session.on('Network.responseReceived', ({ requestId, response, type }) => {
      const { status, statusText, url } = response;
      const guard = fromServer(url, readHead(response))?.egressFailure;
      if (guard != null) this.#failByGuard(requestId, type, guard);
      else if (sources.isNavigation(requestId)) this.#response = { status, statusText };
      else if (!sources.isOwnFile(url))
        add(this.#responses, { url: url.slice(0, MAX_TEXT_CHARACTERS), status });
    });
    session.on('Network.loadingFailed', ({ requestId, type, errorText, canceled = false }) => {
      if (!canceled) this.#fail(requestId, { type, error: this.#explain(requestId, type, errorText) });
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const { text, lineNumber: line, columnNumber: column, exception } = exceptionDetails;
      const description = exception?.description ?? String(exception?.value ?? '');
      add(this.#exceptions, { text, line, column, description: description.slice(0, MAX_TEXT_CHARACTERS) });
    });
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      const text = args.map(({ value, description }) => description ?? String(value)).join(' ');
      add(this.#messages, { type, text: text.slice(0, MAX_TEXT_CHARACTERS) });
    });
  }

  /** Returns the facts so far. */
  read({ isComplete }: Pick<PageFacts, 'isComplete'>): PageFacts {
    return {
      isComplete,
      response: this.#response,
      failure: this.#failure,
      isRefused: this.#isRefused,
      responses: this.#responses,
      failures: this.#failures,
      exceptions: this.#exceptions,
      messages: this.#messages,
    };
  }

  #fail(requestId: string, { type, error }: ResourceFailure): void {
    if (this.#sources.isNavigation(requestId)) this.#failure ??= error;
    else add(this.#failures, { type, error });
  }

  #failByGuard(requestId: string, type: string, guard: string): void {
    if (guard === 'refused' && this.#sources.isNavigation(requestId)) this.#isRefused = true;
    this.#fail(requestId, { type, error: GUARD_ERRORS[guard] ?? 'net::ERR_FAILED' });
  }

  /** Returns Chromium's name of the error as it would be without the egress guard and the service's files. */
  #explain(requestId: string, type: string, errorText: string): string {
    const url = this.#urls.get(requestId) ?? '';
    if (this.#sources.isOwnFile(url))
      return type === 'Document' ? 'net::ERR_ACCESS_DENIED' : 'net::ERR_FILE_NOT_FOUND';
    const decision = this.#sources.decisionOf(url);
    const isTunnel = errorText === 'net::ERR_TUNNEL_CONNECTION_FAILED';
    // Chromium blocks a response of the guard as one of the wrong type.
    const isHidden = errorText === 'net::ERR_BLOCKED_BY_ORB' && url.startsWith('http:');
    if (!isTunnel && !isHidden) return errorText;
    if (decision?.outcome === 'refused') {
      if (this.#sources.isNavigation(requestId)) this.#isRefused = true;
      return GUARD_ERRORS['refused'] ?? errorText;
    }
    if (decision?.outcome === 'unresolvable') return GUARD_ERRORS['unresolvable'] ?? errorText;
    return isTunnel || decision?.failure ? (GUARD_ERRORS['unreachable'] ?? errorText) : errorText;
  }
}

function add<T>(list: T[], entry: T): void {
  if (list.length < MAX_ENTRIES) list.push(entry);
}
