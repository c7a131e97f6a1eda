import type { PageOptions } from '../data/types.ts';

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The name of the file that contains the body of a long request. */
export const BODY_FILE = 'request.json';

/**
 * The longest body that the examples contain, in characters. They read a longer body, such as one with an
 * embedded image, from a file.
 */
const MAX_INLINE_CHARACTERS = 4000;

/** The longest text that the summary of a body shows in full, in characters. */
const MAX_TEXT_CHARACTERS = 80;

/** A request that prints a template. */
export interface PrintRequest {
  url: string;
  /** The body as JSON. */
  body: string;
  /** Whether the body is too long for the example. */
  isLong: boolean;
}

/** Returns the request that makes the document of the editor. */
export function printRequest(from: {
  origin: string;
  id: string;
  data: Record<string, unknown>;
  options: PageOptions;
}): PrintRequest {
  const { origin, id, data, options } = from;
  const hasOptions = Object.keys(options).length > 0;
  const body = JSON.stringify(
    { template: id, data, ...(hasOptions && { options }), output: 'binary' },
    null,
    2,
  );
  return { url: `${origin}/v1/generate`, body, isLong: body.length > MAX_INLINE_CHARACTERS };
}

/** Returns a body with long texts shortened, so that a person can read it. */
export function summaryOf(body: string): string {
  return JSON.stringify(
    JSON.parse(body),
    (_name, value: unknown) =>
      typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS
        ? `${value.slice(0, MAX_TEXT_CHARACTERS / 2)}… (${value.length} characters)`
        : value,
    2,
  );
}

/** Returns a program that makes the document. */
export function exampleOf(language: Language, request: PrintRequest): string {
  return { curl, JavaScript: javascript, Python: python }[language](request);
}

function curl({ url, body, isLong }: PrintRequest): string {
  const data = isLong ? `@${BODY_FILE}` : `'${body.replaceAll("'", String.raw`'\''`)}'`;
  return `curl -fsS ${url} \\
  -H "Authorization: Bearer $PLATEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data ${data} \\
  -o document.pdf`;
}

function javascript({ url, body, isLong }: PrintRequest): string {
  const imports = isLong ? 'readFile, writeFile' : 'writeFile';
  const content = isLong ? `await readFile('${BODY_FILE}')` : `JSON.stringify(${indent(body, '  ')})`;
  return `import { ${imports} } from 'node:fs/promises';

const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PLATEN_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: ${content},
});
if (!response.ok) throw new Error(await response.text());
await writeFile('document.pdf', Buffer.from(await response.arrayBuffer()));`;
}

function python({ url, body, isLong }: PrintRequest): string {
  const content = isLong
    ? `with open("${BODY_FILE}", "rb") as file:\n    body = file.read()`
    : `body = r'''${body.replaceAll("''", String.raw`'\u0027`)}'''.encode()`;
  return `import os
import urllib.request

${content}
request = urllib.request.Request(
    "${url}",
    data=body,
    headers={
        "Authorization": f"Bearer {os.environ['PLATEN_API_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response, open("document.pdf", "wb") as file:
    file.write(response.read())`;
}

function indent(text: string, indentation: string): string {
  return text.replaceAll('\n', `\n${indentation}`);
}
