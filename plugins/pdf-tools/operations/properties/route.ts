import { STANDARD_INFO_ENTRIES } from '@platen/pdf/metadata-limits';
import { invalid, jsonOrMultipart, RawJson, type Static } from '../../../../src/plugin.ts';
import { ONE_PDF_BODY_BYTES, pdfTaskLimits, unwrapTaskResult } from '../../../files/exports.ts';
import { samplePdf } from '../../examples.ts';
import type { OperationContext } from '../../operation.ts';
import { rejectResultFields } from '../../reading.ts';
import { PropertiesResponse, PropertiesBody } from './schema.ts';

/** An example response of `POST /v1/pdf/properties`. */
const propertiesExample = {
  properties: {
    title: 'Annual report',
    author: 'Ada Lovelace',
    subject: '',
    keywords: ['finance', '2026'],
    language: 'en-GB',
    creator: 'Writer',
    producer: 'LibreOffice 24.2',
    creation_date: '2026-03-01T08:30:00.000Z',
    modification_date: null,
    info: { Title: 'Annual report', Author: 'Ada Lovelace', Department: 'Sales' },
  },
};

/** Registers `POST /v1/pdf/properties`. */
export function properties({ routes, sandbox, files }: OperationContext): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  routes.post(
    '/v1/pdf/properties',
    {
      scope: 'pdf',
      audit: null,
      summary: 'Read or write title, author and other properties',
      operationId: 'pdfProperties',
      idempotency: 'kept',
      description:
        'Reads the properties of a PDF, or with `set` writes them to its information dictionary, its XMP metadata and its catalog, so that all agree. Other metadata is kept.',
      body: jsonOrMultipart(PropertiesBody),
      maxBodyBytes: ONE_PDF_BODY_BYTES,
      worksOnDocument: true,
      step: { result: ({ set }) => (set === undefined ? 'other' : 'pdf') },
      examples: {
        read: { pdf: samplePdf },
        write: {
          pdf: samplePdf,
          set: { title: 'Annual report', keywords: ['finance', '2026'], author: null },
        },
      },
      response: {
        schema: PropertiesResponse,
        example: propertiesExample,
        mediaTypes: ['application/pdf'],
      },
      errors: ['NOT_FOUND'],
    },
    async (input) => {
      const { set } = input.body;
      if (set === undefined) rejectResultFields(input.body, 'set');
      const changes = set && readChanges(set);
      const pdf = await files.load(input);
      if (changes === undefined)
        return new RawJson(await unwrapTaskResult('pdf', tasks.read({ pdf }, pdfTaskLimits)));
      const written = await unwrapTaskResult('pdf', tasks.write({ pdf, set: changes }, pdfTaskLimits));
      return files.deliver(input, { operation: 'properties', ...written });
    },
  );
}

type Set = NonNullable<Static<typeof PropertiesBody>['set']>;

/** Returns the changes of a request. @throws {AppError} VALIDATION_ERROR that names the field */
function readChanges({ creation_date: creationDate, modification_date: modificationDate, ...set }: Set) {
  const { custom = {}, trapped: _, ...texts } = set;
  for (const [name, value] of Object.entries(texts)) requireWellFormed(`set.${name}`, value);
  for (const [name, value] of Object.entries(custom)) {
    if (STANDARD_INFO_ENTRIES.has(name))
      throw invalid(`set.custom.${name}`, 'is a property of its own in set');
    requireWellFormed(`set.custom.${name}`, value);
  }
  for (const [name, time] of Object.entries({
    creation_date: creationDate,
    modification_date: modificationDate,
  }))
    if (time && !isTime(time)) throw invalid(`set.${name}`, 'must be a time that exists');
  return { ...set, creationDate, modificationDate };
}

function isTime(text: string): boolean {
  const time = Date.parse(text);
  // Date.parse accepts the 31st of every month.
  const day = Number(text.slice(8, 10));
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return !Number.isNaN(time) && day <= lastDay;
}

/**
 * Rejects text that no encoding of PDF or XMP can represent.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
function requireWellFormed(path: string, value: string | readonly string[] | null): void {
  for (const [index, text] of [value ?? []].flat().entries())
    if (!text.isWellFormed())
      throw invalid(
        `${path}${typeof value === 'string' ? '' : `[${index}]`}`,
        'must be well-formed Unicode; it contains an unpaired surrogate',
      );
}
