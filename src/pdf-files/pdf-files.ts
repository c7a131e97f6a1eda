import type { Static } from '@sinclair/typebox';
import type { Account } from '../accounts/accounts.ts';
import { notFound } from '../errors.ts';
import { FileNotFoundError, LINK_LIFETIME_MS, type FileStore, type StoredFile } from '../files/files.ts';
import { prefersToJson } from '../http/accept.ts';
import type { FileValue } from '../http/body/file-input.ts';
import { sendFile } from '../http/send-file.ts';
import { streamZip } from '../http/zip.ts';
import { newId } from '../ids.ts';
import type { OutputChoice, PdfAnswer } from '../pdf-output.ts';
import { findPage } from '../store/find-page.ts';
import type { Collection } from '../store/store.ts';
import type { FileRecord } from './records.ts';
import { References, type LoadedPdf, type LoadRequest, type ReferenceResolver } from './references.ts';

/** A PDF that an operation made. */
export interface MadePdf {
  pdf: Uint8Array;
  pages: number;
}

/** The input of a handler, as far as the response depends on it. */
export interface DeliveryRequest {
  account: Account;
  request: Request;
  body: { output?: Static<typeof OutputChoice> | undefined };
  /** When the handler was called, as of `performance.now()`. */
  startedAt: number;
}

/** A result: the operation that made it, and fields of the JSON response besides those of the file. */
export interface Result<Fields> extends MadePdf {
  operation: string;
  fields?: Fields;
}

/** Options of a list of files. */
export interface FileFilter {
  reference?: string | undefined;
  limit: number;
  offset: number;
}

/** Loads the PDFs of requests, and stores and delivers results. Each stored PDF has a record, which `/v1/files` shows. */
export interface PdfFiles {
  /**
   * Returns the PDF in the field `pdf` of a request. An id of a file or generation is replaced by the file.
   * @throws {AppError} NOT_FOUND for an unknown id; VALIDATION_ERROR for a file that is too large; RATE_LIMITED when memory is short
   */
  load(request: LoadRequest, pdf: FileValue): Promise<LoadedPdf>;
  /** Returns the PDFs in the field `pdfs` of a request, as {@link load} does. */
  loadAll(request: LoadRequest, pdfs: readonly FileValue[]): Promise<LoadedPdf[]>;
  /** Stores a result and returns the response: JSON with a link or base64, or the file itself if the request asks for it. */
  deliver<Fields extends object = object>(
    request: DeliveryRequest,
    result: Result<Fields>,
  ): Promise<(Static<typeof PdfAnswer> & Fields) | Response>;
  /** Stores several results and returns the response: JSON, or a zip archive if the request asks for it. */
  deliverParts(
    request: DeliveryRequest,
    operation: string,
    parts: readonly MadePdf[],
  ): Promise<{ parts: Static<typeof PdfAnswer>[]; total: number } | Response>;
  /** Stores a file with its record. */
  save(file: {
    account: Account;
    operation: string;
    pdf: Uint8Array;
    pages: number | null;
  }): Promise<FileRecord>;
  /** Reads a record. @throws {AppError} NOT_FOUND, also for another account's file */
  get(accountId: string, id: string): Promise<FileRecord>;
  /** Lists records, newest first. */
  list(accountId: string, filter: FileFilter): Promise<FileRecord[]>;
  /** Opens the content of a file. @throws {AppError} NOT_FOUND */
  open(record: FileRecord): Promise<StoredFile>;
  /** Deletes a record and its file. @throws {AppError} NOT_FOUND if it does not exist, or another call has deleted it */
  remove(accountId: string, id: string): Promise<void>;
  /** Returns a link to a file that is valid for 30 days. */
  link(id: string): Promise<string>;
}

/** How many files are written at once. */
const CONCURRENT_WRITES = 8;

/** Creates the service. `resolvers` are asked when requests refer to ids; more can be added later. */
export function createPdfFiles({
  records,
  files,
  resolvers,
}: {
  records: Collection<FileRecord>;
  files: FileStore;
  resolvers: Map<string, ReferenceResolver>;
}): PdfFiles {
  const references = new References(files, resolvers);
  resolvers.set('file_', async (accountId, id) => {
    const record = await records.get(id);
    return record?.accountId === accountId ? { fileId: id, sizeBytes: record.sizeBytes } : undefined;
  });

  async function store(
    account: Account,
    operation: string,
    { pdf, pages }: { pdf: Uint8Array; pages: number | null },
  ): Promise<FileRecord> {
    const id = newId('file_');
    await files.put(id, pdf);
    return {
      id,
      accountId: account.id,
      operation,
      pages,
      sizeBytes: pdf.length,
      fileName: null,
      reference: null,
      metadata: null,
      createdAt: Date.now(),
      expiresAt: null,
    };
  }

  const link = (id: string) => files.link(id, { expiresAt: Date.now() + LINK_LIFETIME_MS });

  async function present(
    { id, sizeBytes }: FileRecord,
    pdf: Uint8Array,
    output: 'url' | 'base64',
  ): Promise<Static<typeof PdfAnswer>> {
    const content = output === 'base64' ? { data: pdf } : { url: await link(id) };
    return { ...content, file_size: sizeBytes, file_id: id };
  }

  const pdfFiles: PdfFiles = {
    async load(request, pdf) {
      const [loaded = pdf] = await references.load(request, [{ path: 'pdf', source: pdf }]);
      return loaded;
    },
    loadAll: (request, pdfs) =>
      references.load(
        request,
        pdfs.map((source, index) => ({ path: `pdfs[${index}]`, source })),
      ),
    async deliver<Fields extends object>(
      { account, request, body, startedAt }: DeliveryRequest,
      { operation, fields, ...made }: Result<Fields>,
    ) {
      const record = await pdfFiles.save({ account, operation, ...made });
      const output = chooseOutput(request, body.output, 'application/pdf');
      if (output !== 'binary') {
        const file = await present(record, made.pdf, output);
        return { ...file, ...fields } as Static<typeof PdfAnswer> & Fields;
      }
      return sendFile(
        {
          body: made.pdf,
          mediaType: 'application/pdf',
          fileName: `${record.id}.pdf`,
          sizeBytes: made.pdf.length,
        },
        { 'platen-file-id': record.id, ...resultHeaders({ pages: made.pages, startedAt }) },
      );
    },
    async deliverParts({ account, request, body, startedAt }, operation, parts) {
      const stored: FileRecord[] = [];
      for (let start = 0; start < parts.length; start += CONCURRENT_WRITES) {
        const some = parts.slice(start, start + CONCURRENT_WRITES);
        stored.push(...(await Promise.all(some.map((part) => store(account, operation, part)))));
      }
      await records.insertMany(stored);
      const output = chooseOutput(request, body.output, 'application/zip');
      if (output !== 'binary') {
        const answers: Static<typeof PdfAnswer>[] = [];
        for (const [index, { pdf }] of parts.entries()) {
          const record = stored[index];
          if (record) answers.push(await present(record, pdf, output));
        }
        return { parts: answers, total: answers.length };
      }
      const digits = String(parts.length).length;
      const entries = parts.map(({ pdf }, index) => ({
        name: `part-${String(index + 1).padStart(digits, '0')}.pdf`,
        content: pdf,
      }));
      const pages = parts.reduce((sum, part) => sum + part.pages, 0);
      const { stream, sizeBytes } = streamZip(entries);
      return sendFile(
        { body: stream, mediaType: 'application/zip', fileName: `${operation}.zip`, sizeBytes },
        resultHeaders({ pages, startedAt }),
      );
    },
    async save({ account, operation, pdf, pages }) {
      const record = await store(account, operation, { pdf, pages });
      await records.insert(record);
      return record;
    },
    async get(accountId, id) {
      const record = await records.get(id);
      if (record?.accountId !== accountId) throw notFound('file');
      return record;
    },
    list: (accountId, { reference, limit, offset }) =>
      findPage(records, {
        where: { accountId, ...(reference !== undefined && { reference }) },
        limit,
        offset,
      }),
    async open({ id }) {
      return files.get(id).catch((error: unknown) => {
        throw error instanceof FileNotFoundError ? notFound('file') : error;
      });
    },
    async remove(accountId, id) {
      // The record goes first: without it the file cannot be found. Of several calls, one deletes it.
      if ((await records.delete({ id, accountId })) === 0) throw notFound('file');
      await files.delete(id);
    },
    link,
  };
  return pdfFiles;
}

/** Returns how a result is sent: as the request says, or else by its Accept header. */
export function chooseOutput(
  request: Request,
  output: Static<typeof OutputChoice> | undefined,
  mediaType: string,
): 'url' | 'base64' | 'binary' {
  return output ?? (prefersToJson(request.headers.get('accept'), mediaType) ? 'binary' : 'url');
}

/** Creates the headers that describe a result. */
export function resultHeaders({
  pages,
  startedAt,
}: {
  pages: number;
  startedAt: number;
}): Record<string, string> {
  return {
    'platen-pages': String(pages),
    'platen-generation-time-ms': String(Math.round(performance.now() - startedAt)),
  };
}
