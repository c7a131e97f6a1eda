import type { CDPSession } from 'playwright-core';
import type { EgressGuard } from '../../../src/plugin.ts';
import { redactUrl } from '../redact-url.ts';
import { addBounded, emptyList, type Bounded, type Resource } from './receipt.ts';

const MAX_RESOURCES = 50;

/** More requests under way than this are not followed. */
const MAX_OPEN = 1_000;

/** Set by the egress guard where it answers itself, to plain http; a tunnel that it refuses is a failed request to Chromium. */
const EGRESS_HEADER = 'x-platen-egress';

/** Tells what the egress guard decided of late about the host of a URL. */
export type DecisionOf = EgressGuard['decisionOf'];

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
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason, canceled }) => {
      const open = this.#open.get(requestId);
      if (open) open.failure = blockedReason ?? (canceled ? 'canceled' : errorText);
      this.#end(requestId, timestamp, null);
    });
  }

  /** Lists what there was, and as pending what is still under way. `brokenImages` are URLs that gave no image. */
  list(brokenImages: readonly string[]): Bounded<Resource> {
    const pending = [...this.#open.values()].map((open): Resource => {
      const { type, status, href } = open;
      return { url: redactUrl(href), type, status, bytes: null, ms: null, outcome: 'pending', reason: null };
    });
    const broken = new Set(brokenImages.map(redactUrl));
    const known = [...this.#failed.entries, ...pending, ...this.#loaded.entries].map((resource): Resource => {
      if (resource.outcome !== 'loaded' || !broken.delete(resource.url)) return resource;
      return { ...resource, outcome: 'broken', reason: 'is not an image that can be shown' };
    });
    for (const { url } of this.#failed.entries) broken.delete(url);
    const inline = [...broken].map((url): Resource => {
      const reason = 'is not an image that can be shown';
      return { url, type: 'Image', status: null, bytes: null, ms: null, outcome: 'broken', reason };
    });
    const sorted = [...inline, ...known].toSorted((a, b) => rank(a) - rank(b));
    const entries = sorted.slice(0, MAX_RESOURCES);
    const cut = sorted.length - entries.length;
    return { entries, omitted: cut + this.#failed.omitted + this.#loaded.omitted + this.#unfollowed };
  }

  /** Forgets what the last document did. */
  reset(): void {
    this.#open.clear();
    this.#loaded = emptyList();
    this.#failed = emptyList();
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
    const list = outcome === 'loaded' ? this.#loaded : this.#failed;
    addBounded(list, { url: redactUrl(href), type, status, bytes, ms, outcome, reason }, MAX_RESOURCES);
  }

  #judge({ href, status, failure }: Open): Pick<Resource, 'outcome' | 'reason'> & { own?: boolean } {
    if (failure === null && status !== null && status < 400) return { outcome: 'loaded', reason: null };
    // A style sheet that is an error is cancelled by Chromium.
    if (failure === null || (failure === 'canceled' && status !== null))
      return { outcome: 'failed', reason: status === null ? 'no answer' : `HTTP ${status}` };
    const decided = this.#decisionOf(href);
    const own = status !== null;
    if (failure === 'refused' || decided?.outcome === 'refused')
      return { outcome: 'refused', reason: decided?.reason ?? 'the address is not public', own };
    if (decided?.outcome === 'unresolvable') return { outcome: 'failed', reason: decided.reason, own };
    return { outcome: 'failed', reason: failure.slice(0, 100), own };
  }
}

function rank({ outcome }: Resource): number {
  return outcome === 'loaded' ? 1 : 0;
}
