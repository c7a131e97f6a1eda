import type { XmlElement } from '@platen/xml';
import type { DataNode } from '../data/node.ts';
import type { Scope } from '../profiles.ts';

/** Converts a value between the data and CII. */
export interface Codec {
  toXml: (value: string) => string;
  toData: (value: string) => string;
}

/** An attribute: a value of the data, or a constant. */
export type CiiAttribute = { fixed: string } | { path: string; codec?: Codec };

/**
 * An element of CII and its place in the data. The same description writes and reads it. Paths are relative
 * to the nearest group; a path that begins with `/` is relative to the invoice.
 */
export interface CiiNode {
  name: string;
  /** The smallest scope of profiles that have the element. */
  from: Scope;
  /** The group of the data that the element and its children describe. */
  group?: string;
  /** Whether there is one element for each item of the group. */
  each?: boolean;
  /** Tells whether the element is written for a group; always if absent. */
  when?: (data: DataNode) => boolean;
  /** Tells whether an element that was read describes the group; always if absent. */
  accepts?: (element: XmlElement) => boolean;
  children?: readonly CiiNode[];
  /** The path of the value. */
  value?: string;
  /** A constant value, which is written only if a sibling has other content. */
  fixed?: string;
  codec?: Codec;
  attributes?: Readonly<Record<string, CiiAttribute>>;
  /** Whether the element is written even if it is empty. */
  required?: boolean;
}

/** The namespaces of CII D16B, by prefix. */
export const CII_NAMESPACES: Readonly<Record<string, string>> = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

/** Returns the name of an element in the form of the parser: `uri local`. */
export function qualifiedName(name: string): string {
  const colon = name.indexOf(':');
  return `${CII_NAMESPACES[name.slice(0, colon)] ?? ''} ${name.slice(colon + 1)}`;
}

/** Returns the text of the first element at a path of names below an element. */
export function textBelow(element: XmlElement, ...names: readonly string[]): string | undefined {
  let at: XmlElement | undefined = element;
  for (const name of names) {
    const wanted: string = qualifiedName(name);
    at = at?.children.find((child) => child.name === wanted);
  }
  return at?.text.trim();
}
