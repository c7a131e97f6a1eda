import { withTimeout } from '@platen/runtime';
import type { EgressGuard } from '../../../src/plugin.ts';
import { ASSET_SCHEME } from '../assets/asset-urls.ts';
import { redactUrl } from '../browser/redact-url.ts';
import {
  describeWrongType,
  explain,
  hidesResponse,
  type EndedRequest,
  type LoadingFailure,
  type ResponseHead,
} from './failure-reason.ts';
import { addBounded, emptyList, type Bounded, type Resource } from './receipt.ts';
import type { PageSession } from '../browser/page-session.ts';

const MAX_RESOURCES = 50;

/**
 * How long to wait for the responses to failed requests. Chromium reports them from another process than the
 * failures.
 */
const REPORT_RESPONSES_MS = 1_000;

/** The maximum number of pending requests, responses and URLs that are kept for a document. */
const MAX_TRACKED = 1_000;

const MAX_MIME_TYPE_LENGTH = 100;

/** A type is at most 255 characters long (RFC 6838); the rest of a header is not read. */
const MAX_CONTENT_TYPE_LENGTH = 300;

/**
 * The egress guard sets this header in its own responses to plain http requests. A refused tunnel is a failed
 * request.
 */
const EGRESS_HEADER = 'x-platen-egress';

/** Returns the latest decision of the egress guard about the host of a URL. */
export type DecisionOf = EgressGuard['decisionOf'];

/** An asset that is missing in the document, as the browser page reports it. */
export interface MissingAsset {
  type: 'Image' | 'Stylesheet' | 'Script' | 'Font';
  /** The URL as written in the document; empty for a font, because only its family is known. */
  url: string;
  reason: string;
  /** `broken` when absent. */
  outcome?: 'failed';
}

interface PendingRequest {
  href: string;
  /** The URL before redirects. */
  firstHref: string;
  type: string;
  documentUrl: string;
  /** Chromium's monotonic time in seconds. */
  since: number;
  /** True for the script of a worker, whose end Chromium reports only to the worker. */
  hasNoEnd: boolean;
  /**
   * The number of earlier redirects under the same request id whose response heads Chromium reports in
   * separate events.
   */
  redirects: number;
  response: ResponseHead | null;
}

/** The end of a request, as Chromium reports it. */
interface RequestEnd {
  timestamp: number;
  bytes: number | null;
  failure: LoadingFailure | null;
}

/** A request that has ended, with its size and duration. */
interface TimedRequest extends EndedRequest {
  firstHref: string;
  redirects: number;
  bytes: number | null;
  ms: number;
}

/**
 * The heads of the responses to a request and its redirects, as `Network.responseReceivedExtraInfo` reports
 * them.
 */
interface ReportedHeads {
  count: number;
  last: ResponseHead;
}

/**
 * Records the requests of a browser page and their results. Requests that failed are listed first, and are
 * omitted last.
 */
export class ResourceLog {
  readonly #pending = new Map<string, PendingRequest>();
  /** Chromium may report a head before its request, and after the failure of its request. */
  readonly #heads = new Map<string, ReportedHeads>();
  /** The failed requests whose responses are not known yet. */
  readonly #unexplained = new Map<string, TimedRequest>();
  #onExplained: (() => void) | undefined;
  #loaded: Bounded<Resource> = emptyList();
  #failed: Bounded<Resource> = emptyList();
  /**
   * The URLs to which assets were redirected, by their first URLs, which are the only ones that the browser
   * page knows.
   */
  readonly #finalUrls = new Map<string, string>();
  /** Includes requests that are omitted from the list. */
  readonly #failedUrls = new Set<string>();
  #untracked = 0;

  readonly #decisionOf: DecisionOf;

  constructor(session: PageSession, decisionOf: DecisionOf) {
    this.#decisionOf = decisionOf;
    session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp, ...event }) => {
      const { loaderId, redirectResponse, redirectHasExtraInfo, documentURL } = event;
      const earlier = this.#pending.get(requestId);
      // The redirect from `asset:` to the origin of assets is a part of the request.
      if (redirectResponse && !earlier?.href.startsWith(ASSET_SCHEME)) {
        this.#respond(requestId, redirectResponse);
        this.#end(requestId, { timestamp, bytes: redirectResponse.encodedDataLength, failure: null });
      }
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return;
      if (this.#pending.size >= MAX_TRACKED) this.#untracked += 1;
      else
        this.#pending.set(requestId, {
          href: request.url,
          type: type ?? 'Other',
          documentUrl: documentURL,
          firstHref: earlier?.firstHref ?? request.url,
          since: timestamp,
          hasNoEnd: loaderId === '',
          redirects: (earlier?.redirects ?? 0) + (redirectHasExtraInfo ? 1 : 0),
          response: null,
        });
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) =>
      this.#noteHead(requestId, readHead({ status: statusCode, headers })),
    );
    session.on('Network.responseReceived', ({ requestId, response }) => this.#respond(requestId, response));
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.#end(requestId, { timestamp, bytes: encodedDataLength, failure: null });
      this.#heads.delete(requestId);
    });
    session.on('Network.loadingFailed', ({ requestId, timestamp, ...failure }) => {
      this.#end(requestId, { timestamp, bytes: null, failure });
      if (!this.#unexplained.has(requestId)) this.#heads.delete(requestId);
    });
  }

  /** Waits until the response to every failed request is known, but not longer than a second. */
  async explained(): Promise<void> {
    if (this.#unexplained.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onExplained = resolve;
    await withTimeout(promise, { limitMs: REPORT_RESPONSES_MS, onTimeout: () => undefined });
  }

  /**
   * Lists all resources, including pending requests. `missing` are the assets that the browser page reports
   * as missing.
   */
  list(missing: readonly MissingAsset[]): Bounded<Resource> {
    this.#recordUnexplained();
    const pending = [...this.#pending].map(([requestId, request]): Resource => {
      const { type, href } = request;
      const response = fromServer(href, request.response ?? this.#headOf(requestId, request));
      const reason = response ? 'the response is not complete' : 'the server has not responded';
      const { status = null, mimeType = null } = response ?? {};
      return {
        url: redactUrl(href),
        type,
        status,
        mimeType,
        bytes: null,
        ms: null,
        ...(request.hasNoEnd && response
          ? explain({ ...request, response, failure: null }, this.#decisionOf)
          : { outcome: 'pending', reason }),
      };
    });
    const broken = this.#broken(missing);
    const known = [...this.#failed.entries, ...pending, ...this.#loaded.entries].map((resource): Resource => {
      const asset = resource.outcome === 'loaded' ? broken.get(resource.url) : undefined;
      if (!asset) return resource;
      broken.delete(resource.url);
      const reason = explainsInvalidImage(resource)
        ? describeWrongType(resource.type, resource.mimeType)
        : asset.reason;
      return { ...resource, outcome: 'broken', reason };
    });
    const others = [...broken.values()].map(
      ({ url, type, reason, outcome = 'broken' as const }): Resource => {
        return {
          url,
          type,
          status: null,
          mimeType: null,
          bytes: null,
          ms: null,
          outcome,
          reason,
        };
      },
    );
    const sorted = [...others, ...known].toSorted((a, b) => rank(a) - rank(b));
    const entries = sorted.slice(0, MAX_RESOURCES);
    const unlisted = sorted.length - entries.length;
    return { entries, omitted: unlisted + this.#failed.omitted + this.#loaded.omitted + this.#untracked };
  }

  /** Returns the missing assets whose requests did not fail, by their URL; fonts by their reason. */
  #broken(missing: readonly MissingAsset[]): Map<string, MissingAsset> {
    const failed = this.#failed.entries;
    const located = missing.map((asset) => {
      const url = redactUrl(asset.url);
      return { ...asset, url: this.#finalUrls.get(url) ?? url };
    });
    const unexplained = located.filter(({ type, url }) =>
      type === 'Font' ? failed.every((resource) => resource.type !== 'Font') : !this.#failedUrls.has(url),
    );
    return new Map(unexplained.map((asset) => [asset.type === 'Font' ? asset.reason : asset.url, asset]));
  }

  /** Forgets the requests of the last document. */
  reset(): void {
    this.#pending.clear();
    this.#heads.clear();
    this.#unexplained.clear();
    this.#loaded = emptyList();
    this.#failed = emptyList();
    this.#failedUrls.clear();
    this.#finalUrls.clear();
    this.#untracked = 0;
  }

  #respond(requestId: string, response: ReportedResponse): void {
    const request = this.#pending.get(requestId);
    if (request) request.response = readHead(response);
  }

  #noteHead(requestId: string, head: ResponseHead): void {
    const reported = this.#heads.get(requestId);
    if (!reported && this.#heads.size >= MAX_TRACKED) return;
    const count = (reported?.count ?? 0) + 1;
    this.#heads.set(requestId, { count, last: head });
    const request = this.#unexplained.get(requestId);
    if (!request || count <= request.redirects) return;
    this.#unexplained.delete(requestId);
    this.#heads.delete(requestId);
    this.#record({ ...request, response: head });
    if (this.#unexplained.size === 0) this.#onExplained?.();
  }

  /** Returns the reported head of the last response to a request. */
  #headOf(requestId: string, { redirects }: PendingRequest): ResponseHead | null {
    const reported = this.#heads.get(requestId);
    return reported && reported.count > redirects ? reported.last : null;
  }

  #end(requestId: string, { timestamp, bytes, failure }: RequestEnd): void {
    const request = this.#pending.get(requestId);
    if (!request) return;
    this.#pending.delete(requestId);
    const ms = Math.round((timestamp - request.since) * 1000);
    const isHidden = request.response === null && failure !== null && hidesResponse(failure);
    const response = isHidden ? this.#headOf(requestId, request) : request.response;
    const ended = { ...request, response, bytes, ms, failure };
    if (isHidden && response === null && this.#unexplained.size < MAX_TRACKED)
      this.#unexplained.set(requestId, ended);
    else this.#record(ended);
  }

  #recordUnexplained(): void {
    for (const request of this.#unexplained.values()) this.#record(request);
    this.#unexplained.clear();
  }

  #record(request: TimedRequest): void {
    const { href, firstHref, type, bytes, ms } = request;
    const response = fromServer(href, request.response);
    const { outcome, reason } = explain({ ...request, response }, this.#decisionOf);
    const { status = null, mimeType = null } = response?.egressFailure === null ? response : {};
    const url = redactUrl(href);
    if (firstHref !== href && this.#finalUrls.size < MAX_TRACKED)
      this.#finalUrls.set(redactUrl(firstHref), url);
    const list = outcome === 'loaded' ? this.#loaded : this.#failed;
    if (outcome !== 'loaded' && this.#failedUrls.size < MAX_TRACKED) this.#failedUrls.add(url);
    addBounded(list, { url, type, status, mimeType, bytes, ms, outcome, reason }, MAX_RESOURCES);
  }
}

/** A response as Chromium reports it. */
export interface ReportedResponse {
  status: number;
  headers: Record<string, string>;
}

/**
 * Ignores the header of the egress guard in a response over TLS, which only the server can have sent. The
 * guard removes it from plain responses.
 */
export function fromServer(href: string, response: ResponseHead | null): ResponseHead | null {
  return response && !href.startsWith('http:') ? { ...response, egressFailure: null } : response;
}

/** Reads the parts of a response that a receipt needs. The server decides the size of the rest. */
export function readHead({ status, headers }: ReportedResponse): ResponseHead {
  let mimeType: string | null = null;
  let egressFailure: string | null = null;
  for (const [name, value] of Object.entries(headers)) {
    const field = name.toLowerCase();
    if (field === 'content-type') mimeType = mimeTypeOf(value);
    else if (field === EGRESS_HEADER) egressFailure = copyStart(value, MAX_MIME_TYPE_LENGTH);
  }
  return { status, mimeType, egressFailure };
}

/** Returns the media type of a Content-Type header, without its parameters. */
function mimeTypeOf(contentType: string): string | null {
  const [essence = ''] = contentType.slice(0, MAX_CONTENT_TYPE_LENGTH).split(';', 1);
  return copyStart(essence.trim().toLowerCase(), MAX_MIME_TYPE_LENGTH) || null;
}

/** Copies the start of a text. A slice would keep the whole text in memory. */
function copyStart(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString();
}

/** Tells whether the declared type of an invalid image explains why it is invalid. */
function explainsInvalidImage({ type, mimeType }: Resource): boolean {
  return (
    type === 'Image' &&
    mimeType !== null &&
    !mimeType.startsWith('image/') &&
    mimeType !== 'application/octet-stream'
  );
}

function rank({ outcome }: Resource): number {
  return outcome === 'loaded' ? 1 : 0;
}
