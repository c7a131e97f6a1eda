import type { CDPSession } from 'playwright-core';
import type { EgressGuard } from '../../../src/plugin.ts';
import { redactUrl } from '../redact-url.ts';
import { addBounded, emptyList, type Bounded, type Resource } from './receipt.ts';

const MAX_RESOURCES = 50;

/** The most pending requests that are tracked, and the most URLs of failed requests that are remembered. */
const MAX_TRACKED = 1_000;

/** The reason of requests that the document itself cancelled. */
export const CANCELED = 'canceled';

/** The egress guard sets this header in its own responses to plain http requests. A refused tunnel is a failed request. */
const EGRESS_HEADER = 'x-platen-egress';

/** Returns the latest decision of the egress guard about the host of a URL. */
export type DecisionOf = EgressGuard['decisionOf'];

/** An asset that is missing in the document, as the page reports it. */
export interface MissingAsset {
  type: 'Image' | 'Stylesheet' | 'Script' | 'Font';
  /** The URL as written in the document; empty for a font, of which only the family is known. */
  url: string;
  reason: string;
}

/** A pending request. `since` is Chromium's monotonic time in seconds. */
interface PendingRequest {
  href: string;
  type: string;
  since: number;
  status: number | null;
  failure: string | null;
}

/** Records the requests of a page and their results. Requests that failed are listed first, and are omitted last. */
export class ResourceLog {
  readonly #pending = new Map<string, PendingRequest>();
  #loaded: Bounded<Resource> = emptyList();
  #failed: Bounded<Resource> = emptyList();
  /** Includes requests that are omitted from the list. */
  readonly #failedUrls = new Set<string>();
  #untracked = 0;

  readonly #decisionOf: DecisionOf;

  constructor(session: CDPSession, decisionOf: DecisionOf) {
    this.#decisionOf = decisionOf;
    session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp, redirectResponse }) => {
      if (redirectResponse) {
        this.#respond(requestId, redirectResponse);
        this.#end(requestId, timestamp, redirectResponse.encodedDataLength);
      }
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return;
      if (this.#pending.size >= MAX_TRACKED) this.#untracked += 1;
      else
        this.#pending.set(requestId, {
          href: request.url,
          type: type ?? 'Other',
          since: timestamp,
          status: null,
          failure: null,
        });
    });
    session.on('Network.responseReceived', ({ requestId, response }) => this.#respond(requestId, response));
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#end(requestId, timestamp, encodedDataLength),
    );
    session.on('Network.loadingFailed', ({ requestId, timestamp, ...failure }) => {
      const request = this.#pending.get(requestId);
      if (request) request.failure = explain(failure);
      this.#end(requestId, timestamp, null);
    });
  }

  /** Lists all resources, including pending requests. `missing` are the assets that the page reports as missing. */
  list(missing: readonly MissingAsset[]): Bounded<Resource> {
    const pending = [...this.#pending.values()].map((request): Resource => {
      const { type, status, href } = request;
      return { url: redactUrl(href), type, status, bytes: null, ms: null, outcome: 'pending', reason: null };
    });
    const broken = this.#broken(missing);
    const known = [...this.#failed.entries, ...pending, ...this.#loaded.entries].map((resource): Resource => {
      const asset = resource.outcome === 'loaded' ? broken.get(resource.url) : undefined;
      if (!asset) return resource;
      broken.delete(resource.url);
      return { ...resource, outcome: 'broken', reason: asset.reason };
    });
    const others = [...broken.values()].map(({ url, type, reason }): Resource => {
      return { url, type, status: null, bytes: null, ms: null, outcome: 'broken', reason };
    });
    const sorted = [...others, ...known].toSorted((a, b) => rank(a) - rank(b));
    const entries = sorted.slice(0, MAX_RESOURCES);
    const unlisted = sorted.length - entries.length;
    return { entries, omitted: unlisted + this.#failed.omitted + this.#loaded.omitted + this.#untracked };
  }

  /** Returns the missing assets whose requests did not fail, by their URL; fonts by their reason. */
  #broken(missing: readonly MissingAsset[]): Map<string, MissingAsset> {
    const failed = this.#failed.entries;
    const unexplained = missing.filter(({ type, url }) =>
      type === 'Font'
        ? failed.every((resource) => resource.type !== 'Font')
        : !this.#failedUrls.has(redactUrl(url)),
    );
    return new Map(
      unexplained.map((asset) => {
        const url = redactUrl(asset.url);
        return [asset.type === 'Font' ? asset.reason : url, { ...asset, url }];
      }),
    );
  }

  /** Forgets the requests of the last document. */
  reset(): void {
    this.#pending.clear();
    this.#loaded = emptyList();
    this.#failed = emptyList();
    this.#failedUrls.clear();
    this.#untracked = 0;
  }

  #respond(requestId: string, response: { status: number; headers: Record<string, string> }): void {
    const request = this.#pending.get(requestId);
    if (!request) return;
    request.status = response.status;
    request.failure =
      Object.entries(response.headers).find(([name]) => name.toLowerCase() === EGRESS_HEADER)?.[1] ?? null;
  }

  #end(requestId: string, timestamp: number, bytes: number | null): void {
    const request = this.#pending.get(requestId);
    if (!request) return;
    this.#pending.delete(requestId);
    const { href, type, since } = request;
    const result = this.#classify(request);
    // The status of the egress guard's own response is not the resource's.
    const status = result.own ? null : request.status;
    const { outcome, reason } = result;
    const ms = Math.round((timestamp - since) * 1000);
    const url = redactUrl(href);
    const list = outcome === 'loaded' ? this.#loaded : this.#failed;
    if (outcome !== 'loaded' && this.#failedUrls.size < MAX_TRACKED) this.#failedUrls.add(url);
    addBounded(list, { url, type, status, bytes, ms, outcome, reason }, MAX_RESOURCES);
  }

  #classify({
    href,
    status,
    failure,
  }: PendingRequest): Pick<Resource, 'outcome' | 'reason'> & { own?: boolean } {
    if (failure === null && status !== null && status < 400) return { outcome: 'loaded', reason: null };
    // Chromium cancels a style sheet whose response is an error.
    if (failure === null || (failure === CANCELED && status !== null && status >= 400))
      return { outcome: 'failed', reason: status === null ? 'no response' : `HTTP ${status}` };
    const decided = this.#decisionOf(href);
    const own = status !== null;
    if (failure === 'refused' || decided?.outcome === 'refused')
      return { outcome: 'refused', reason: decided?.reason ?? 'the address is not public', own };
    if (decided?.outcome === 'unresolvable') return { outcome: 'failed', reason: decided.reason, own };
    return { outcome: 'failed', reason: failure.slice(0, 200), own };
  }
}

/** Chromium's description of a failed request. */
interface Failure {
  errorText: string;
  blockedReason?: string;
  canceled?: boolean;
  corsErrorStatus?: { corsError: string };
}

function explain({ errorText, blockedReason, canceled, corsErrorStatus }: Failure): string {
  if (blockedReason !== undefined) return blockedReason;
  if (canceled) return CANCELED;
  if (corsErrorStatus?.corsError === 'MissingAllowOriginHeader')
    return 'the response has no Access-Control-Allow-Origin header, which fonts and data from another origin need';
  return corsErrorStatus ? `CORS: ${corsErrorStatus.corsError}` : errorText;
}

function rank({ outcome }: Resource): number {
  return outcome === 'loaded' ? 1 : 0;
}
