import { hidesResponse } from '../receipt/failure-reason.ts';
import { fromServer, readHead, type DecisionOf, type ReportedResponse } from '../receipt/resource-log.ts';
import type { PageSession } from '../browser/page-session.ts';

/** A response to a request of a page, other than the page itself. */
export interface ResourceResponse {
  url: string;
  status: number;
}

/** A resource that did not load, for another reason than the content of its response. */
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
  /** The URL of the web page if the egress guard refused it, because its address is not public. */
  refusedUrl: string | null;
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
  session: PageSession;
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
  #refusedUrl: PageFacts['refusedUrl'] = null;
  readonly #responses: ResourceResponse[] = [];
  readonly #failures: ResourceFailure[] = [];
  readonly #exceptions: PageException[] = [];
  readonly #messages: PageMessage[] = [];
  readonly #urls = new Map<string, string>();
  /** The heads of responses that Chromium may hide, and the failed requests that wait for theirs. */
  readonly #heads = new Map<string, ReportedResponse>();
  readonly #hidden = new Map<string, string>();

  readonly #sources: FactSources;

  constructor(sources: FactSources) {
    this.#sources = sources;
    const { session } = sources;
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (this.#urls.size < MAX_TYPES) this.#urls.set(requestId, request.url);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode: status, headers }) => {
      if (this.#heads.size < MAX_TYPES) this.#heads.set(requestId, { status, headers });
      this.#reveal(requestId);
    });
    session.on('Network.responseReceived', ({ requestId, response, type }) => {
      const { status, statusText } = response;
      if (sources.isNavigation(requestId) && this.#guardOf(response.url, response) === null)
        this.#response = { status, statusText };
      else this.#respond(requestId, { type, url: response.url, response });
    });
    session.on('Network.loadingFailed', ({ requestId, type, errorText, canceled = false, ...failure }) => {
      if (hidesResponse({ errorText, ...failure })) {
        if (this.#hidden.size < MAX_TYPES) this.#hidden.set(requestId, type);
        this.#reveal(requestId);
      } else if (!canceled) this.#fail(requestId, { type, error: this.#explain(requestId, type, errorText) });
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
      refusedUrl: this.#refusedUrl,
      responses: this.#responses,
      failures: this.#failures,
      exceptions: this.#exceptions,
      messages: this.#messages,
    };
  }

  /** Records the response to a failed request, once both are known. */
  #reveal(requestId: string): void {
    const type = this.#hidden.get(requestId);
    const response = this.#heads.get(requestId);
    const url = this.#urls.get(requestId);
    if (type === undefined || !response || url === undefined) return;
    this.#hidden.delete(requestId);
    this.#respond(requestId, { type, url, response });
  }

  #respond(
    requestId: string,
    { type, url, response }: { type: string; url: string; response: ReportedResponse },
  ): void {
    const guard = this.#guardOf(url, response);
    if (guard !== null) this.#failByGuard(requestId, type, guard);
    else if (!this.#sources.isOwnFile(url))
      add(this.#responses, { url: url.slice(0, MAX_TEXT_CHARACTERS), status: response.status });
  }

  /** Returns the failure that the egress guard reports in a response; `null` for one of a server. */
  #guardOf(url: string, response: ReportedResponse): string | null {
    return fromServer(url, readHead(response))?.egressFailure ?? null;
  }

  #fail(requestId: string, { type, error }: ResourceFailure): void {
    if (this.#sources.isNavigation(requestId)) this.#failure ??= error;
    else add(this.#failures, { type, error });
  }

  #failByGuard(requestId: string, type: string, guard: string): void {
    if (guard === 'refused') this.#refuse(requestId);
    this.#fail(requestId, { type, error: GUARD_ERRORS[guard] ?? 'net::ERR_FAILED' });
  }

  #refuse(requestId: string): void {
    if (this.#sources.isNavigation(requestId)) this.#refusedUrl ??= this.#urls.get(requestId) ?? '';
  }

  /** Returns Chromium's name of the error as it would be without the egress guard and the service's files. */
  #explain(requestId: string, type: string, errorText: string): string {
    const url = this.#urls.get(requestId) ?? '';
    if (this.#sources.isOwnFile(url))
      return type === 'Document' ? 'net::ERR_ACCESS_DENIED' : 'net::ERR_FILE_NOT_FOUND';
    if (errorText !== 'net::ERR_TUNNEL_CONNECTION_FAILED') return errorText;
    const outcome = this.#sources.decisionOf(url)?.outcome;
    if (outcome === 'refused') this.#refuse(requestId);
    const guard = outcome === 'refused' || outcome === 'unresolvable' ? outcome : 'unreachable';
    return GUARD_ERRORS[guard] ?? errorText;
  }
}

function add<T>(list: T[], entry: T): void {
  if (list.length < MAX_ENTRIES) list.push(entry);
}
