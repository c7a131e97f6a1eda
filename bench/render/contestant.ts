/** A document to print, by the name that the table shows. */
export interface BenchDocument {
  name: string;
  html: string;
}

/** What a job gave. The pages are counted only when asked for, outside of what is measured. */
export interface Printed {
  pages: () => number;
}

/** Prints a document once. Workers are numbered from 0; none has two jobs at once. */
export type Job = (worker: number) => Promise<Printed>;

/** A way to print documents. Whatever serves it runs beside the others from the start, and is idle out of its turn. */
export interface Contestant {
  way: string;
  /** Names of the documents that it prints. */
  documents: readonly string[];
  /** Makes ready to print one document with so many workers. */
  prepare(html: string, workers: number): Promise<Job>;
  /** The process whose tree is the service and its browser, without client, databases and file stores. */
  rootPid(workers: number): number;
  stop(): Promise<void>;
}

/** The paper of every way, Platen's default: without equal margins they would not print the same pages. */
export const PAPER = { widthIn: 210 / 25.4, heightIn: 297 / 25.4, marginIn: 0.5 } as const;
