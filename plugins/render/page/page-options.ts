import type { WaitConditions } from '../browser/wait-conditions.ts';
import type { DecisionOf } from '../receipt/resource-log.ts';
import type { PageFacts } from './page-facts.ts';
import type { SiblingFile } from './site.ts';

/** A cookie for all hosts of a domain. */
export interface PageCookie {
  name: string;
  value: string;
  /** A host without a port. */
  domain: string;
  path?: string | undefined;
  secure?: boolean | undefined;
  httpOnly?: boolean | undefined;
  sameSite?: 'Strict' | 'Lax' | 'None' | undefined;
}

/** A header that is added to requests over http and https. */
export interface PageHeader {
  name: string;
  value: string;
  /** Tells whether the header is added to a request for a URL; to all requests when absent. */
  appliesTo?: ((url: string) => boolean | Promise<boolean>) | undefined;
}

/** Why a page is not printed, with the code that the generation records. */
export interface PageFault {
  code: 'ASSET_FAILED' | 'NAVIGATION_BLOCKED' | 'SCRIPT_ERROR';
  message: string;
}

/** Decides on a request of a page. */
export type MayRequest = (request: { url: string; type: string }) => boolean | Promise<boolean>;

/**
 * What a plugin that speaks the protocol of another service may ask of the browser page, beyond the options
 * of `/v1`. With most of them, the document gets a browser page of its own.
 */
export interface PageOptions {
  /**
   * The files to which the HTML refers by relative URLs, by their names; with an empty map, such URLs fail as
   * missing files. The document sees no other files, and no other document sees these.
   */
  files?: ReadonlyMap<string, SiblingFile> | undefined;
  /** The size of the paper in inches, before it is turned to landscape. */
  paperIn?: { width: number; height: number } | undefined;
  marginsIn?: { top: number; right: number; bottom: number; left: number } | undefined;
  /** Header and footer are Chromium's own templates: they neither move the content nor must be inert. */
  nativeHeaders?: boolean | undefined;
  /** A selection of pages as Chromium reads it. */
  nativePageRanges?: string | undefined;
  /**
   * Prints on one page that is as tall as the content, and in landscape as wide. A document with page breaks
   * is printed up to the first one.
   */
  singlePage?: boolean | undefined;
  /** Keeps the structure tree, in which Chromium describes the document. */
  tagged?: boolean | undefined;
  /** Removes the white background of the page. */
  transparent?: boolean | undefined;
  /** The media type that scripts see before the document is printed. */
  emulatedMedia?: 'print' | 'screen' | undefined;
  mediaFeatures?: Readonly<Record<string, string>> | undefined;
  waitFor?: WaitConditions | undefined;
  /**
   * How long to wait for requests that are pending after the conditions are met; until they end when absent.
   */
  patienceMs?: number | undefined;
  /** False for a document whose scripts do not run. */
  scripts?: boolean | undefined;
  cookies?: readonly PageCookie[] | undefined;
  headers?: readonly PageHeader[] | undefined;
  userAgent?: string | undefined;
  /** The proxy through which the page reaches the network, in place of the egress guard of all pages. */
  proxyUrl?: string | undefined;
  /** Returns the latest decision of the proxy's guard about a URL. Needed with `proxyUrl`. */
  decisionOf?: DecisionOf | undefined;
  /**
   * Tells whether the page may send a request, before the egress guard decides. `type` is Chromium's name of
   * the kind of resource, such as `Stylesheet`.
   */
  mayRequest?: MayRequest | undefined;
  /** The window that scripts see before a document is printed; that of the paper when absent. */
  windowPx?: { width: number; height: number } | undefined;
  /** Encodes an image in less time and more bytes. */
  fastImage?: boolean | undefined;
  /**
   * Judges the page when it has loaded, and again when it is complete (`facts.isComplete`). A fault fails the
   * document. With a judge, a web page is printed whatever its status and media type are.
   */
  judge?: ((facts: PageFacts) => PageFault | undefined) | undefined;
}

/**
 * Tells whether a document must be printed on a page that runs scripts, whatever it contains. The options
 * about requests and scripts do not matter to a document that has none.
 */
export function needsActivePageFor(page: PageOptions = {}): boolean {
  const { transparent = false, singlePage = false, emulatedMedia, mediaFeatures, files, judge } = page;
  const isShownOtherwise = transparent || singlePage || emulatedMedia === 'screen';
  return isShownOtherwise || [mediaFeatures, files, judge].some((option) => option !== undefined);
}

/** Tells whether a page with scripts must be prepared for a document. */
export function needsPreparation(page: PageOptions): boolean {
  const { cookies = [], headers = [], scripts = true, files, userAgent, judge, mayRequest } = page;
  const hasLists = cookies.length > 0 || headers.length > 0;
  return hasLists || !scripts || [files, userAgent, judge, mayRequest].some((option) => option !== undefined);
}

/** Tells whether a page with scripts must not be used for another document afterwards. */
export function needsOwnPage(page: PageOptions): boolean {
  return needsPreparation({ ...page, files: undefined }) || page.proxyUrl !== undefined;
}
