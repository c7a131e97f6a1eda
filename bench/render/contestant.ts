/** A document to print, with its name in the table. */
export interface BenchDocument {
  name: string;
  html: string;
}

/** The result of a job. Pages are counted only on request, outside the measured time. */
export interface Printed {
  pages: () => number;
}

/** Prints a document once. Workers are numbered from 0 and run one job at a time. */
export type Job = (worker: number) => Promise<Printed>;

/**
 * A way to print documents. All contestants are started in advance and are idle unless they are being
 * measured.
 */
export interface Contestant {
  way: string;
  /** Names of the documents that it prints. */
  documents: readonly string[];
  /** Prepares to print one document with a number of workers. */
  prepare(html: string, workers: number): Promise<Job>;
  /** Root of the process tree of service and browser, without client, database and file store. */
  rootPid(workers: number): number;
  stop(): Promise<void>;
}

/**
 * The paper of every contestant, which is Platen's default. Different margins would change the page count.
 */
export const PAPER = { widthIn: 210 / 25.4, heightIn: 297 / 25.4, marginIn: 0.5 } as const;
