/** An XML element to write. Its name has a prefix that the root declares. */
export interface OutElement {
  name: string;
  attributes: readonly (readonly [name: string, value: string])[];
  /** Text, or child elements. */
  content: string | readonly OutElement[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Writes a document with two spaces of indentation. */
export function writeXml(root: OutElement): Uint8Array {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, '', parts);
  return Buffer.from(parts.join(''));
}

function write({ name, attributes, content }: OutElement, indent: string, parts: string[]): void {
  parts.push(indent, '<', name);
  for (const [key, value] of attributes) parts.push(' ', key, '="', escapeXml(value), '"');
  if (typeof content === 'string') parts.push('>', escapeXml(content));
  else if (content.length === 0) {
    parts.push('/>\n');
    return;
  } else {
    parts.push('>\n');
    for (const child of content) write(child, `${indent}  `, parts);
    parts.push(indent);
  }
  parts.push('</', name, '>\n');
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);
}
