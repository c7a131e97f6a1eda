import type { DataFault } from '../../templates/contract.ts';
import type { DocumentClass } from '../classify.ts';
import type { MissingGlyphs } from './missing-glyphs.ts';
import { PhaseClock, type Phase } from './phase-clock.ts';

/** Something that a document asked the network for. */
export interface Resource {
  /** Without user, query and fragment, and at most 200 characters. */
  url: string;
  /** As Chromium calls it: `Image`, `Stylesheet`, `Font`, `Script`, `Fetch` ... */
  type: string;
  /** HTTP status; `null` when there was no answer. */
  status: number | null;
  /** Received, head included; `null` while unknown. */
  bytes: number | null;
  /** From the request to its end; `null` when it had none. */
  ms: number | null;
  /** `refused` by the egress guard; `broken` when there is no image, style sheet, script or font at its address; `pending` when nobody waited for it any more. */
  outcome: 'loaded' | 'failed' | 'refused' | 'broken' | 'pending';
  /** Why it was not loaded. */
  reason: string | null;
}

/** A warning or an error that a script wrote to the console. */
export interface ConsoleEntry {
  level: 'warning' | 'error';
  text: string;
}

/** What a script threw and nobody caught; lines and columns from 1. */
export interface UncaughtException {
  message: string;
  line: number | null;
  column: number | null;
}

/** A list of bounded length, and how many entries were left out of it. */
export interface Bounded<T> {
  entries: T[];
  omitted: number;
}

/** What was seen of a page while it made a document. */
export interface PageObservations {
  resources: Bounded<Resource>;
  console: Bounded<ConsoleEntry>;
  exceptions: Bounded<UncaughtException>;
}

/** What is known of the making of a document. */
export interface Receipt extends PageObservations {
  /** `null` when it did not come to a page. */
  documentClass: DocumentClass | null;
  /** Milliseconds, in the order in which the phases began first. */
  phases: Partial<Record<Phase, number>>;
  /** `null` when the PDF was not looked at. */
  missingGlyphs: MissingGlyphs | null;
  /** What the data lack of the schema of a stored template. */
  schemaMismatches: Bounded<DataFault>;
}

/** Puts an entry into a list while there is room. */
export function addBounded<T>(list: Bounded<T>, entry: T, limit: number): void {
  if (list.entries.length < limit) list.entries.push(entry);
  else list.omitted += 1;
}

/** Makes an empty list. */
export function emptyList<T>(): Bounded<T> {
  return { entries: [], omitted: 0 };
}

const MAX_MISMATCHES = 50;

/** A receipt while its document is being made. Of several tries the last one is what it tells of; the phases are those of all. */
export class ReceiptDraft {
  readonly clock = new PhaseClock();
  documentClass: DocumentClass | null = null;
  missingGlyphs: MissingGlyphs | null = null;
  readonly #pages = new Map<'component' | 'document', PageObservations>();
  readonly #mismatches: Bounded<DataFault> = emptyList();

  /** Takes what was seen of a page: the one that rendered a component, or the one that printed the document; or failed to. */
  observe(stage: 'component' | 'document', page: PageObservations): void {
    this.#pages.set(stage, page);
  }

  noteMismatches(faults: readonly DataFault[]): void {
    for (const fault of faults) addBounded(this.#mismatches, fault, MAX_MISMATCHES);
  }

  finish(): Receipt {
    const pages = [...this.#pages.values()];
    return {
      documentClass: this.documentClass,
      phases: this.clock.stop(),
      resources: join(pages.map(({ resources }) => resources)),
      console: join(pages.map(({ console }) => console)),
      exceptions: join(pages.map(({ exceptions }) => exceptions)),
      missingGlyphs: this.missingGlyphs,
      schemaMismatches: this.#mismatches,
    };
  }
}

function join<T>(lists: readonly Bounded<T>[]): Bounded<T> {
  return {
    entries: lists.flatMap(({ entries }) => entries),
    omitted: lists.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}
