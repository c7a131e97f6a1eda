import type { DataFault } from '../../templates/contract.ts';
import type { AccessibilityReport } from '../accessibility/make-accessible.ts';
import type { DocumentClass } from '../source/classify.ts';
import type { MissingGlyphs } from './missing-glyphs.ts';
import type { ReplacedFont } from './replaced-fonts.ts';
import { PhaseClock, type Phase } from './phase-clock.ts';

/** A resource that a document requested from the network. */
export interface Resource {
  /** Without user, query and fragment, and at most 200 characters. */
  url: string;
  /** Chromium's name of the type: `Image`, `Stylesheet`, `Font`, `Script`, `Fetch` ... */
  type: string;
  /** The HTTP status; `null` without a response of the server. */
  status: number | null;
  /** The media type of the response's Content-Type header, at most 100 characters; `null` if it has none. */
  mimeType: string | null;
  /** The received bytes, including the head; `null` when unknown. */
  bytes: number | null;
  /** The time from the request to its end; `null` when it did not end. */
  ms: number | null;
  /**
   * `refused` by the egress guard; `broken` when the response is not a valid image, style sheet, script or
   * font; `pending` when the request had not ended.
   */
  outcome: 'loaded' | 'failed' | 'refused' | 'broken' | 'pending';
  /**
   * Why the resource was not loaded, as a sentence without capital letter or full stop; see
   * `docs/receipts.md`.
   */
  reason: string | null;
}

/** A warning or an error that a script wrote to the console. */
export interface ConsoleEntry {
  level: 'warning' | 'error';
  text: string;
}

/** An uncaught exception. Lines and columns start at 1. */
export interface UncaughtException {
  message: string;
  line: number | null;
  column: number | null;
}

/** A variable that a template needs and the data lacks, and the number of places where it does. */
export interface MissingVariable {
  path: string;
  count: number;
  /** The sentence that describes it, if it is not a variable of the data. */
  sentence?: string;
  /** The first of the places in an office file, such as `Sheet1!B7`. */
  place?: string;
}

/** A language in which the template has no messages, and the language that was printed in its place. */
export interface ReplacedLanguage {
  requested: string;
  printed: string;
}

/** Content that is wider than the page. */
export interface Overflow {
  /** The factor by which Chromium shrank the document so that it fits. */
  scale: number;
  /** True when the factor is the smallest, so the content may still be too wide. */
  isClipped: boolean;
}

/** A list with a limited length, and the number of omitted entries. */
export interface Bounded<T> {
  entries: T[];
  omitted: number;
}

/** The requests, console messages and exceptions of a browser page. */
export interface PageObservations {
  resources: Bounded<Resource>;
  console: Bounded<ConsoleEntry>;
  exceptions: Bounded<UncaughtException>;
}

/** A record of how a document was made. */
export interface Receipt extends PageObservations {
  /** `null` when the document never reached a browser page. */
  documentClass: DocumentClass | null;
  /** The milliseconds of each phase, in the order in which the phases first began. */
  phases: Partial<Record<Phase, number>>;
  /** `null` when the PDF was not checked. */
  missingGlyphs: MissingGlyphs | null;
  /** The check of an accessible PDF; absent without `options.accessible`. */
  accessibility?: AccessibilityReport | undefined;
  /** The differences between the data and the schema of a stored template. */
  schemaMismatches: Bounded<DataFault>;
  missingVariables: Bounded<MissingVariable>;
  replacedLanguage?: ReplacedLanguage | undefined;
  /** `null` when the content is not wider than the page, and for images. */
  overflow: Overflow | null;
  /** The faces that the families of uploaded fonts lack. */
  replacedFonts?: ReplacedFont[];
  /** The tags of templates that were printed as text, because the request had no data. */
  templateTags?: string[];
  /** The sizes of `@page` rules that the browser ignored. */
  unknownPageSizes?: readonly string[];
  /** The size of the Swiss QR-bills relative to the prescribed one. */
  billScale?: number;
}

/** Adds an entry to a list, or counts it as omitted when the list is full. */
export function addBounded<T>(list: Bounded<T>, entry: T, limit: number): void {
  if (list.entries.length < limit) list.entries.push(entry);
  else list.omitted += 1;
}

export function emptyList<T>(): Bounded<T> {
  return { entries: [], omitted: 0 };
}

const MAX_MISMATCHES = 50;

/**
 * A receipt of a document that is being made. With several attempts, it describes the last one; the phases
 * include all attempts.
 */
export class ReceiptDraft {
  readonly clock = new PhaseClock();
  documentClass: DocumentClass | null = null;
  missingGlyphs: MissingGlyphs | null = null;
  overflow: Overflow | null = null;
  replacedFonts: ReplacedFont[] = [];
  templateTags: string[] = [];
  unknownPageSizes: readonly string[] = [];
  billScale = 1;
  /** Whether the source is HTML without data, which is not a template. */
  hasNoData = false;
  /** Whether the PDF of an earlier request was repeated; `undefined` while the cache is off. */
  cache: 'hit' | 'miss' | undefined;
  readonly #missing: Bounded<MissingVariable> = emptyList();
  #replacedLanguage: ReplacedLanguage | undefined;
  readonly #pages = new Map<'component' | 'document', PageObservations>();
  #accessibility: AccessibilityReport | undefined;
  readonly #mismatches: Bounded<DataFault> = emptyList();

  /**
   * Records the observations of the browser page that rendered the component or printed the document.
   * Replaces earlier ones.
   */
  observe(stage: 'component' | 'document', page: PageObservations): void {
    this.#pages.set(stage, page);
  }

  /** Adds the missing glyphs of another part of the document. */
  addMissingGlyphs(more: MissingGlyphs | null): void {
    if (!this.missingGlyphs || !more) return void (this.missingGlyphs = null);
    const characters = [...new Set([...this.missingGlyphs.characters, ...more.characters])];
    this.missingGlyphs = { count: this.missingGlyphs.count + more.count, characters };
  }

  noteMismatches(faults: readonly DataFault[]): void {
    for (const fault of faults) addBounded(this.#mismatches, fault, MAX_MISMATCHES);
  }

  noteMissingVariables(variables: readonly MissingVariable[]): void {
    for (const variable of variables)
      if (this.#missing.entries.every(({ path }) => path !== variable.path))
        addBounded(this.#missing, variable, MAX_MISMATCHES);
  }

  noteReplacedLanguage(language: ReplacedLanguage): void {
    this.#replacedLanguage = language;
  }

  /** The observations of the browser page that printed the document. */
  get page(): PageObservations {
    return (
      this.#pages.get('document') ?? { resources: emptyList(), console: emptyList(), exceptions: emptyList() }
    );
  }

  noteAccessibility(report: AccessibilityReport): void {
    this.#accessibility = report;
  }

  /** Copies the findings about the printed page from the receipt of an identical request. */
  repeat(earlier: Receipt | null): void {
    this.cache = 'hit';
    if (!earlier) return;
    this.documentClass = earlier.documentClass;
    this.missingGlyphs = earlier.missingGlyphs;
    this.overflow = earlier.overflow;
    this.replacedFonts = earlier.replacedFonts ?? [];
    this.templateTags = earlier.templateTags ?? [];
    this.unknownPageSizes = earlier.unknownPageSizes ?? [];
    this.billScale = earlier.billScale ?? 1;
    this.#accessibility = earlier.accessibility;
    const { resources, console, exceptions } = earlier;
    this.observe('document', { resources, console, exceptions });
  }

  finish(): Receipt {
    return { ...this.soFar(), phases: this.clock.stop() };
  }

  /** Returns the receipt without the times of the phases, which have not ended. */
  soFar(): Receipt {
    const pages = [...this.#pages.values()];
    return {
      documentClass: this.documentClass,
      phases: {},
      resources: join(pages.map(({ resources }) => resources)),
      console: join(pages.map(({ console }) => console)),
      exceptions: join(pages.map(({ exceptions }) => exceptions)),
      missingGlyphs: this.missingGlyphs,
      schemaMismatches: this.#mismatches,
      missingVariables: this.#missing,
      replacedLanguage: this.#replacedLanguage,
      overflow: this.overflow,
      replacedFonts: this.replacedFonts,
      templateTags: this.templateTags,
      unknownPageSizes: this.unknownPageSizes,
      billScale: this.billScale,
      accessibility: this.#accessibility,
    };
  }
}

function join<T>(lists: readonly Bounded<T>[]): Bounded<T> {
  return {
    entries: lists.flatMap(({ entries }) => entries),
    omitted: lists.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}
