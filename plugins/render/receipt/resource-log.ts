import type { CDPSession } from 'playwright-core';
import type { EgressGuard } from '../../../src/plugin.ts';
import { redactUrl } from '../redact-url.ts';
import { addBounded, emptyList, type Bounded, type Resource } from './receipt.ts';

const MAX_RESOURCES = 50;

/** More requests under way than this are not followed, and of more that failed it is not remembered that they did. */
const MAX_OPEN = 1_000;

/** The reason of what the document itself gave up. */
export const CANCELED = 'canceled';

/** Set by the egress guard where it answers itself, to plain http; a tunnel that it refuses is a failed request to Chromium. */
const EGRESS_HEADER = 'x-platen-egress';

/** Tells what the egress guard decided of late about the host of a URL. */
export type DecisionOf = EgressGuard['decisionOf'];

/** What a document shows and has not got, as the document itself tells. */
export interface Absent {
  type: 'Image' | 'Stylesheet' | 'Script' | 'Font';
  /** As the document has it; empty for a font, of which only the family is known. */
  url: string;
  reason: string;
}

/** A request without its end; `since` is Chromium's monotonic time in seconds. */
interface Open {
  href: string;
  type: string;
  since: number;
  status: number | null;
  failure: string | null;
}

/** Notes what a page asks the network for, and what becomes of it. Those that were not loaded come first and are kept longest. */
export class ResourceLog {
  readonly #open = new Map<string, Open>();
  #loaded: Bounded<Resource> = emptyList();
  #failed: Bounded<Resource> = emptyList();
  /** Of those, too, that the list has no room for. */
  readonly #failedUrls = new Set<string>();
  #unfollowed = 0;

  readonly #decisionOf: DecisionOf;

  constructor(session: CDPSession, decisionOf: DecisionOf) {
    this.#decisionOf = decisionOf;
    session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp, redirectResponse }) => {
      if (redirectResponse) {
        this.#answer(requestId, redirectResponse);
        this.#end(requestId, timestamp, redirectResponse.encodedDataLength);
      }
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return;
      if (this.#open.size >= MAX_OPEN) this.#unfollowed += 1;
      else
        this.#open.set(requestId, {
          href: request.url,
          type: type ?? 'Other',
          since: timestamp,
          status: null,
          failure: null,
        });
    });
    session.on('Network.responseReceived', ({ requestId, response }) => this.#answer(requestId, response));
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#end(requestId, timestamp, encodedDataLength),
    );
    session.on('Network.loadingFailed', ({ requestId, timestamp, ...failure }) => {
      const open = this.#open.get(requestId);
      if (open) open.failure = explain(failure);
      this.#end(requestId, timestamp, null);
    });
  }

  /** Lists what there was, and as pending what is still under way; `absent` is what the document found that it has not got. */
  list(absent: readonly Absent[]): Bounded<Resource> {
    const pending = [...this.#open.values()].map((open): Resource => {
      const { type, status, href } = open;
      return { url: redactUrl(href), type, status, bytes: null, ms: null, outcome: 'pending', reason: null };
    });
    const broken = this.#broken(absent);
    const known = [...this.#failed.entries, ...pending, ...this.#loaded.entries].map((resource): Resource => {
      const fault = resource.outcome === 'loaded' ? broken.get(resource.url) : undefined;
      if (!fault) return resource;
      broken.delete(resource.url);
      return { ...resource, outcome: 'broken', reason: fault.reason };
    });
    const others = [...broken.values()].map(({ url, type, reason }): Resource => {
      return { url, type, status: null, bytes: null, ms: null, outcome: 'broken', reason };
    });
    const sorted = [...others, ...known].toSorted((a, b) => rank(a) - rank(b));
    const entries = sorted.slice(0, MAX_RESOURCES);
    const cut = sorted.length - entries.length;
    return { entries, omitted: cut + this.#failed.omitted + this.#loaded.omitted + this.#unfollowed };
  }

  /** Gives what is absent by its URL, a font by its fault; without what is known to have failed. */
  #broken(absent: readonly Absent[]): Map<string, Absent> {
    const failed = this.#failed.entries;
    const unexplained = absent.filter(({ type, url }) =>
      type === 'Font'
        ? failed.every((resource) => resource.type !== 'Font')
        : !this.#failedUrls.has(redactUrl(url)),
    );
    return new Map(
      unexplained.map((one) => {
        const url = redactUrl(one.url);
        return [one.type === 'Font' ? one.reason : url, { ...one, url }];
      }),
    );
  }

  /** Forgets what the last document did. */
  reset(): void {
    this.#open.clear();
    this.#loaded = emptyList();
    this.#failed = emptyList();
    this.#failedUrls.clear();
    this.#unfollowed = 0;
  }

  #answer(requestId: string, response: { status: number; headers: Record<string, string> }): void {
    const open = this.#open.get(requestId);
    if (!open) return;
    open.status = response.status;
    open.failure =
      Object.entries(response.headers).find(([name]) => name.toLowerCase() === EGRESS_HEADER)?.[1] ?? null;
  }

  #end(requestId: string, timestamp: number, bytes: number | null): void {
    const open = this.#open.get(requestId);
    if (!open) return;
    this.#open.delete(requestId);
    const { href, type, since } = open;
    const verdict = this.#judge(open);
    // An answer of the guard's own is none of the resource's.
    const status = verdict.own ? null : open.status;
    const { outcome, reason } = verdict;
    const ms = Math.round((timestamp - since) * 1000);
    const url = redactUrl(href);
    const list = outcome === 'loaded' ? this.#loaded : this.#failed;
    if (outcome !== 'loaded' && this.#failedUrls.size < MAX_OPEN) this.#failedUrls.add(url);
    addBounded(list, { url, type, status, bytes, ms, outcome, reason }, MAX_RESOURCES);
  }

  #judge({ href, status, failure }: Open): Pick<Resource, 'outcome' | 'reason'> & { own?: boolean } {
    if (failure === null && status !== null && status < 400) return { outcome: 'loaded', reason: null };
    // A style sheet that is an error is cancelled by Chromium.
    if (failure === null || (failure === CANCELED && status !== null && status >= 400))
      return { outcome: 'failed', reason: status === null ? 'no answer' : `HTTP ${status}` };
    const decided = this.#decisionOf(href);
    const own = status !== null;
    if (failure === 'refused' || decided?.outcome === 'refused')
      return { outcome: 'refused', reason: decided?.reason ?? 'the address is not public', own };
    if (decided?.outcome === 'unresolvable') return { outcome: 'failed', reason: decided.reason, own };
    return { outcome: 'failed', reason: failure.slice(0, 200), own };
  }
}

/** What Chromium tells of a request that failed. */
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
    return 'the answer has no header Access-Control-Allow-Origin: *, without which fonts and data of other sites are not read';
  return corsErrorStatus ? `CORS: ${corsErrorStatus.corsError}` : errorText;
}

function rank({ outcome }: Resource): number {
  return outcome === 'loaded' ? 1 : 0;
}
