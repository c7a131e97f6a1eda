/**
 * Creates `clients/python/src/platen/types.py`, the types of the API, and `_pdf_operations.py`, the signatures of
 * the operations on PDFs. `npm run openapi` writes them. Types that requests contain are TypedDicts. All others
 * are classes, whose fields are attributes.
 * @module
 */
import {
  BULK_SETTINGS,
  clientDocument,
  eventsOf,
  FILE_DATA,
  jsonOf,
  operationsOf,
  referenceOf,
  sentNames,
  UPLOAD_FIELDS,
  type ClientDocument,
} from './client-document.ts';
import type { Schema } from '../../src/http/sdk-document/schema.ts';
import { pascalCase } from '../../src/http/sdk-document/words.ts';

const HEADER = '# Written by `npm run openapi`.\n';
const PDF_ROUTE = 'POST /v1/pdf/';
const SIMPLE_TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};
/** Words that Python does not take as the name of a field. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'async',
  'class',
  'from',
  'global',
  'import',
  'in',
  'is',
  'pass',
]);
/** The parameters by which the client reads the pages of a list. */
const POSITION: ReadonlySet<string> = new Set(['offset', 'starting_after', 'ending_before', 'include']);

/** Returns both modules, by their names. */
export function pythonTypes(sdkDocument: ClientDocument): Record<'types' | 'operations', string> {
  const document = clientDocument(sdkDocument);
  return { types: new TypeWriter(document).write(), operations: pdfOperations(document) };
}

class TypeWriter {
  readonly #document: ClientDocument;
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** The names of schemas that requests contain. */
  readonly #sent: ReadonlySet<string>;

  constructor(document: ClientDocument) {
    this.#document = document;
    this.#schemas = document.components.schemas;
    this.#sent = new Set([UPLOAD_FIELDS, BULK_SETTINGS, ...sentNames(document)]);
  }

  write(): string {
    const classes: string[] = [];
    const aliases = new Map<string, string>();
    for (const [name, schema] of Object.entries(this.#schemas)) {
      if (schema.properties) classes.push(this.#class(name, schema, schema.properties));
      else {
        const type = name === FILE_DATA ? 'Union[str, bytes, "os.PathLike[str]", IO[bytes]]' : typeOf(schema);
        aliases.set(name, `${name}: TypeAlias = ${type}\n${docstring(schema.description)}`);
      }
    }
    const filters = operationsOf(this.#document).flatMap(
      ({ operation: { operationId, parameters = [] } }) => {
        if (!parameters.some(({ name }) => name === 'starting_after')) return [];
        const fields = parameters.filter(({ name }) => !POSITION.has(name));
        const properties = fields.map(({ name, schema, description }) => [
          name,
          { ...schema, ...(description && { description }) },
        ]);
        const schema = { description: 'The filters of a list.', properties: Object.fromEntries(properties) };
        return typedDict(`${pascalCase(operationId)}Filters`, schema, schema.properties);
      },
    );
    const names = eventsOf(this.#document);
    const types = names.map((name) => {
      const [type] = this.#schemas[name]?.properties?.['type']?.enum ?? [];
      return `    ${JSON.stringify(type)}: ${name},\n`;
    });
    const events = `WebhookEvent: TypeAlias = Union[${names.join(', ')}]
"""A message to a webhook."""

WEBHOOK_EVENTS: dict[str, type[Record]] = {
${types.join('')}}
`;
    return [
      HEADER,
      '"""The types of the API."""\n',
      'from __future__ import annotations\n',
      'import os\nfrom typing import IO, Any, Literal, Union\n\nfrom typing_extensions import NotRequired, TypeAlias, TypedDict\n\nfrom ._record import Document, Record\n',
      ...classes,
      ...filters,
      ...inOrder(aliases),
      events,
    ].join('\n');
  }

  #class(name: string, schema: Schema, properties: Readonly<Record<string, Schema>>): string {
    if (this.#sent.has(name)) return typedDict(name, schema, properties);
    // A record of a file can be downloaded.
    const base = 'file_size' in properties ? 'Document' : 'Record';
    // The base class has the id.
    const own = Object.entries(properties).filter(([key]) => base === 'Record' || key !== 'id');
    const fields = own.map(([key, value]) => {
      const type = typeOf(value);
      const isOptional = !schema.required?.includes(key) && !type.endsWith('None') && type !== 'Any';
      return `    ${identifier(key)}: ${type}${isOptional ? ' | None' : ''}\n${docstring(value.description, '    ')}`;
    });
    return `\nclass ${name}(${base}):\n${docstring(schema.description, '    ')}${fields.join('') || '    pass\n'}`;
  }
}

/** Writes a dictionary with known keys. Keys that are no identifiers need the other syntax. */
function typedDict(name: string, schema: Schema, properties: Readonly<Record<string, Schema>>): string {
  const typeOfKey = (key: string, value: Schema) =>
    schema.required?.includes(key) ? typeOf(value) : `NotRequired[${typeOf(value)}]`;
  const entries = Object.entries(properties);
  if (entries.every(([key]) => /^\w+$/.test(key))) {
    const fields = entries.map(
      ([key, value]) =>
        `    ${identifier(key)}: ${typeOfKey(key, value)}\n${docstring(value.description, '    ')}`,
    );
    return `\nclass ${name}(TypedDict):\n${docstring(schema.description, '    ')}${fields.join('') || '    pass\n'}`;
  }
  const items = entries.map(
    ([key, value]) => `        ${JSON.stringify(key)}: ${JSON.stringify(typeOfKey(key, value))},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${items.join('')}    },\n)\n${docstring(schema.description)}`;
}

/** Orders definitions so that each comes after those that it names. */
function inOrder(definitions: ReadonlyMap<string, string>): string[] {
  const written = new Set<string>();
  const lines: string[] = [];
  const write = (name: string, text: string) => {
    if (written.has(name)) return;
    written.add(name);
    const [definition = ''] = text.split('\n');
    for (const [other, otherText] of definitions)
      if (other !== name && new RegExp(`\\b${other}\\b`).test(definition)) write(other, otherText);
    lines.push(text);
  };
  for (const [name, text] of definitions) write(name, text);
  return lines;
}

function typeOf(schema: Schema): string {
  const type = requiredTypeOf(schema);
  return schema.nullable && !type.endsWith('None') ? `${type} | None` : type;
}

function requiredTypeOf(schema: Schema): string {
  const name = referenceOf(schema);
  if (name !== undefined) return name;
  const [first, ...others] = schema.allOf ?? [];
  if (first) {
    if (others.length > 0) throw new Error('allOf of several schemas has no type');
    return typeOf(first);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return `Union[${[...new Set(choices.map(typeOf))].join(', ')}]`;
  if (schema.enum)
    return `Literal[${schema.enum
      .filter((value) => value !== null)
      .map(literal)
      .join(', ')}]`;
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {})}]`;
  if (schema.type === 'object') {
    const { additionalProperties } = schema;
    return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'Any'}]`;
  }
  return SIMPLE_TYPES[String(schema.type)] ?? 'Any';
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Adds an underscore to a keyword, which the client removes. */
function identifier(key: string): string {
  return KEYWORDS.has(key) ? `${key}_` : key;
}

function docstring(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').trim();
  return `${indent}"""${escaped.replaceAll('\n', `\n${indent}`)}${escaped.endsWith('"') ? ' ' : ''}"""\n`;
}

function pdfOperations(document: ClientDocument): string {
  const operations = operationsOf(document).flatMap(({ route, operation }) => {
    const request = referenceOf(jsonOf(operation.requestBody));
    const result = referenceOf(jsonOf(operation.responses['200']));
    if (!route.startsWith(PDF_ROUTE) || request === undefined || result === undefined) return [];
    return {
      ...operation,
      name: route.slice(PDF_ROUTE.length),
      request,
      result,
    };
  });
  const names = [...new Set(operations.flatMap(({ request, result }) => [request, result]))].toSorted();
  const signatures = operations.map(
    ({ name, request, result, summary }) => `    @overload
    def pdf(
        self, operation: Literal["${name}"], *, idempotency_key: str | None = None, **request: Unpack[${request}]
    ) -> ${result}:
        """${summary}."""
`,
  );
  const results = operations.map(({ name, result }) => `    "${name}": types.${result},\n`);
  return `${HEADER}
from __future__ import annotations

from typing import Any, Literal, overload

from typing_extensions import Unpack

from . import types
from ._connection import Connection
from ._record import Record
from .types import (
${names.map((name) => `    ${name},\n`).join('')})

RESULTS: dict[str, type[Record]] = {
${results.join('')}}


class PdfOperations:
    """The operations on PDFs."""

    _connection: Connection

${signatures.join('\n')}
    def pdf(self, operation: str, *, idempotency_key: str | None = None, **request: Any) -> Any:
        """Run an operation on PDFs, such as \`\`pdf("merge", pdfs=[cover.id, report.id])\`\`.

        The operation is the end of its path. A PDF is an id (\`\`gen_…\`\`, \`\`file_…\`\`), bytes, an open file, a \`\`Path\`\` or base64.
        """
        return self._connection.call(
            RESULTS.get(operation, Record), "POST", f"/v1/pdf/{operation}", body=request, key=idempotency_key
        )
`;
}
