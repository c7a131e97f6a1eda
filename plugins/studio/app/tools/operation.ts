import type { ComponentChildren } from 'preact';
import type { ServiceInfo } from '../data/types.ts';
import type { IconName } from '../ui/icon.tsx';
import type { UploadedFile } from './uploads.ts';

/** The values of a tool's form. */
export type Values = Record<string, string | boolean>;

/** The request of an operation. Its body names the uploaded files by their ids. */
export interface OperationRequest {
  path: string;
  body: Record<string, unknown>;
  /**
   * Whether programs receive JSON: a report, or links to several files. Otherwise they can receive the PDF
   * itself.
   */
  returnsJson?: boolean;
}

/** The groups of the list of tools, in its order. */
export const TOOL_GROUPS = [
  'Pages',
  'Content',
  'Forms',
  'Signatures',
  'Protection',
  'Properties',
  'Electronic invoices',
  'Standards',
  'Automation',
] as const;

export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** The entry of a tool in the list of tools. */
export interface ToolEntry {
  slug: string;
  name: string;
  text: string;
  icon: IconName;
  group: ToolGroup;
  /** The place within the group. The list begins with the lowest number. */
  order: number;
  /** Tells whether the service offers the tool. Tools without this function are always offered. */
  isOffered?: (service: ServiceInfo) => boolean;
  /** The routes that the tool uses, if it is not a form with one request. */
  routes?: readonly string[];
}

/** A tool, which runs an operation on PDFs with the values of a form. */
export interface Tool extends ToolEntry {
  /** The label of the button that runs the operation. */
  action: string;
  /** Whether the operation takes several files, in order. */
  isMany?: boolean;
  /** The files that the tool takes in place of PDFs: for the file dialog, and in words. */
  accepts?: { types: string; one: string };
  initial: Values;
  /** The end of the names of results, such as "signed" in "Contract-signed.pdf". */
  suffix?: string;
  /** Whether the size of the result is compared with the size of the source. */
  comparesSize?: boolean;
  /** Whether the result has a proof of its conformance. */
  hasProof?: boolean;
  /** Why the pages of the result cannot be drawn. */
  hidesPages?: string;
  /** Returns the request, or an error message if the form is incomplete. */
  request: (values: Values, files: UploadedFile[]) => OperationRequest | string;
  form?: (values: Values, set: (change: Values) => void) => ComponentChildren;
  /** Renders a response without a file. A request with such a response has `returnsJson`. */
  report?: (result: unknown) => ComponentChildren;
}

/** Returns a text of a form without surrounding white space. Returns an empty string for any other value. */
export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the texts that are not empty, keyed by name. */
export function filledIn(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, textOf(values, name)] as const).filter(([, text]) => text !== ''),
  );
}
