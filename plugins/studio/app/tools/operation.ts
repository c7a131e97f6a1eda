import type { ComponentChildren } from 'preact';
import type { ServiceInfo } from '../data/types.ts';
import type { IconName } from '../ui/icon.tsx';
import type { UploadedFile } from './uploads.ts';

/** The values of a tool's form. */
export type Values = Record<string, string | boolean>;

/** The request of an operation: its path, and all fields except the files. */
export interface OperationRequest {
  path: string;
  body: Record<string, unknown>;
  /** Whether the response is JSON for programs: a report, or the links of several files. */
  answersJson?: boolean;
}

/** The entry of a tool in the list of tools. */
export interface ToolEntry {
  slug: string;
  name: string;
  text: string;
  icon: IconName;
  /** Tells whether the service offers the tool. Tools without this function are always offered. */
  isOffered?: (service: ServiceInfo) => boolean;
}

/** A tool: an operation on PDFs with a form. */
export interface Tool extends ToolEntry {
  action: string;
  /** Takes several files, in order. */
  isMany?: boolean;
  initial: Values;
  /** Ends the names of results, such as "signed" in "Contract-signed.pdf". */
  suffix?: string;
  /** Compares the size of the result with the size of the source. */
  comparesSize?: boolean;
  /** Makes a file whose conformance was checked. */
  hasProof?: boolean;
  /** Makes files whose pages cannot be drawn. */
  hidesPages?: boolean;
  /** Returns the request, or the reason why it is not complete. */
  request: (values: Values, files: UploadedFile[]) => OperationRequest | string;
  form?: (values: Values, set: (change: Values) => void) => ComponentChildren;
  /** Renders the answer of an operation that makes no file. */
  report?: (answer: unknown) => ComponentChildren;
}

/** Returns a value of a form as text, without surrounding blanks. */
export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the values that have a text, by their names. */
export function filledIn(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, textOf(values, name)] as const).filter(([, text]) => text !== ''),
  );
}
