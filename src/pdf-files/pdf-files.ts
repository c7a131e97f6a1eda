import type { ProvenClaim } from '@platen/pdf-standards';
import type { Static } from '@sinclair/typebox';
import type { Account } from '../accounts/accounts.ts';
import { DELETION_CLAIM_MS, type Deletions } from '../deletions.ts';
import { notFound } from '../errors.ts';
import { FileNotFoundError, LINK_LIFETIME_MS, type FileStore, type StoredFile } from '../files/files.ts';
import { newFileId, withExtension, type StoredMediaType } from '../files/media-type.ts';
import { rememberStored } from '../files/stored-bytes.ts';
import { prefersToJson } from '../http/accept.ts';
import type { FileValue } from '../http/body/file-input.ts';
import { sendFile } from '../http/send-file.ts';
import { createProof, type ProofStep } from '../proof/proof.ts';
import {
  isExpired,
  presentResultProperties,
  unexpired,
  type ResultProperties,
  type ResultPropertiesReader,
  type ResultRequest,
} from '../result-record.ts';
import type { OutputChoice, PdfAnswer } from '../pdf-output.ts';
import { findPage } from '../store/find-page.ts';
import type { Collection } from '../store/store.ts';
import { streamArchive } from '../parts-archive.ts';
import type { FileRecord } from './records.ts';
import { References, type LoadedPdf, type LoadRequest, type ReferenceResolver } from './references.ts';

/** A PDF that an operation made. */
export interface MadePdf {
  pdf: Uint8Array;
  pages: number;
  /** The claims, such as PDF/A, that a check has confirmed for exactly these bytes. They are stored with the file as its proof. */
  claims?: readonly ProvenClaim[];
  /** The steps that made the PDF; by default the operation. Only for a PDF with claims. */
  steps?: readonly ProofStep[];
}

/** The part of a handler's input on which the response depends. */
export interface DeliveryRequest {
  account: Account;
  request: Request;
  body: ResultRequest & { output?: Static<typeof OutputChoice> | undefined };
  /** When the handler was called, as of `performance.now()`. */
  startedAt: number;
}

/** A request with PDFs, and its account. */
export interface PdfRequest<Pdfs> extends LoadRequest {
  account: Account;
  body: Pdfs & ResultRequest;
}

/** A result: the operation that made it, and additional fields of the JSON response. */
export interface Result<Fields> extends MadePdf {
  operation: string;
  fields?: Fields;
}

/** An archive that an operation made, and the number of pages from which it was made. */
export interface MadeArchive {
  operation: string;
  zip: Uint8Array;
  pages: number;
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
   * Returns the PDF in the field `pdf` of a request. An id of a file or generation is replaced by the file. The properties of the result are
   * validated here, before any work.
   * @throws {AppError} NOT_FOUND for an unknown id; VALIDATION_ERROR for a file that is too large or an invalid property; RATE_LIMITED when
   * memory is short
   */
  load(request: PdfRequest<{ pdf: FileValue }>): Promise<LoadedPdf>;
  /** Returns the PDF in another field of a request, as {@link load} does. */
  loadField(request: LoadRequest, path: string, source: FileValue): Promise<LoadedPdf>;
  /** Returns the PDFs in the field `pdfs` of a request, as {@link load} does. */
  loadAll(request: PdfRequest<{ pdfs: readonly FileValue[] }>): Promise<LoadedPdf[]>;
  /** Stores a result and returns the response: JSON with a link or base64, or the file itself if the request asks for it. */
  deliver<Fields extends object = object>(
    request: DeliveryRequest,
    result: Result<Fields>,
  ): Promise<(Static<typeof PdfAnswer> & Fields) | Response>;
  /** Stores a zip archive and returns the response, as {@link deliver} does for a PDF. */
  deliverArchive(
    request: DeliveryRequest,
    archive: MadeArchive,
  ): Promise<Static<typeof PdfAnswer> | Response>;
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
    claims?: MadePdf['claims'];
    steps?: MadePdf['steps'];
    properties: ResultProperties;
    mediaType?: StoredMediaType;
  }): Promise<FileRecord>;
  /** Reads the properties of a result from a request. @throws {AppError} VALIDATION_ERROR */
  readProperties(body: ResultRequest, account: Account): ResultProperties;
  /** Reads a record. @throws {AppError} NOT_FOUND, also for another account's file */
  get(accountId: string, id: string): Promise<FileRecord>;
  /** Tells whether an account has a file. */
  has(accountId: string, id: string): Promise<boolean>;
  /** Lists records, newest first. */
  list(accountId: string, filter: FileFilter): Promise<FileRecord[]>;
  /** Opens the content of a file. @throws {AppError} NOT_FOUND */
  open(record: FileRecord): Promise<StoredFile>;
  /** Deletes a record and its file. @throws {AppError} NOT_FOUND if it does not exist, or another call has deleted it */
  remove(accountId: string, id: string): Promise<void>;
  /** Returns a link that downloads a file under its name. The link is valid for 30 days, or until the file expires. */
  link(record: Pick<FileRecord, 'id' | 'expiresAt' | 'fileName'>): Promise<string>;
}

/** The kind under which deletions of files are registered. */
export const FILE = 'file';
/** How many files are written at once. */
const CONCURRENT_WRITES = 8;

/** Creates the service. `resolvers` are asked when requests refer to ids; more can be added later. */
export function createPdfFiles({
  records,
  files,
  resolvers,
  deletions,
  resultProperties,
}: {
  records: Collection<FileRecord>;
  files: FileStore;
  deletions: Deletions;
  resultProperties: ResultPropertiesReader;
  resolvers: Map<string, ReferenceResolver>;
}): PdfFiles {
  const references = new References(files, resolvers);
  resolvers.set('file_', async (accountId, id) => {
    const record = await find(accountId, id);
    return record && { fileId: id, sizeBytes: record.sizeBytes };
  });
  deletions.register(FILE, async (ids) => {
    for (const id of ids) await files.delete(id);
    await records.delete({ id: { in: ids } });
    return [];
  });

  async function find(accountId: string, id: string): Promise<FileRecord | undefined> {
    const record = await records.get(id);
    return record?.accountId === accountId && !isExpired(record) ? record : undefined;
  }

  async function store(
    account: Account,
    operation: string,
    {
      pdf,
      pages,
      claims = [],
      steps = [{ do: operation }],
      properties,
      mediaType = 'application/pdf',
    }: Omit<Parameters<PdfFiles['save']>[0], 'account' | 'operation'>,
  ): Promise<FileRecord> {
    const id = newFileId(mediaType);
    const { expiresAt } = properties;
    // The deletion is scheduled before the file is stored, so that a crash leaves no file beyond its lifetime. It is due only after the record
    // is stored; an earlier deletion would find nothing.
    if (expiresAt !== null)
      await deletions.schedule(FILE, [{ id, at: Math.max(expiresAt, Date.now() + DELETION_CLAIM_MS) }]);
    const proof = await createProof(pdf, { claims, steps });
    await files.put(id, pdf);
    rememberStored(pdf, id);
    return {
      id,
      accountId: account.id,
      operation,
      pages,
      sizeBytes: pdf.length,
      ...properties,
      ...(proof && { proof }),
      createdAt: Date.now(),
    };
  }

  const link: PdfFiles['link'] = ({ id, expiresAt, fileName }) =>
    files.link(id, {
      expiresAt: Math.min(Date.now() + LINK_LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY),
      fileName,
    });

  const readProperties: PdfFiles['readProperties'] = (body, account) => resultProperties.read(body, account);

  async function present(
    record: FileRecord,
    pdf: Uint8Array,
    output: 'url' | 'base64',
  ): Promise<Static<typeof PdfAnswer>> {
    const content = output === 'base64' ? { data: pdf } : { url: await link(record) };
    return {
      ...content,
      file_size: record.sizeBytes,
      file_id: record.id,
      ...presentResultProperties(record),
    };
  }

  async function deliverFile(
    { account, request, body, startedAt }: DeliveryRequest,
    made: MadePdf & { operation: string },
    mediaType: StoredMediaType,
  ): Promise<Static<typeof PdfAnswer> | Response> {
    const properties = resultProperties.read(body, account, { mediaType });
    const record = await pdfFiles.save({ account, ...made, properties, mediaType });
    const output = chooseOutput(request, body.output, mediaType);
    if (output !== 'binary') return present(record, made.pdf, output);
    return sendFile(
      {
        body: made.pdf,
        mediaType,
        fileName: record.fileName ?? withExtension(record.id, mediaType),
        sizeBytes: made.pdf.length,
      },
      { 'platen-file-id': record.id, ...resultHeaders({ pages: made.pages, startedAt }) },
    );
  }

  const pdfFiles: PdfFiles = {
    has: async (accountId, id) => (await find(accountId, id)) !== undefined,
    async load(request) {
      const { pdf } = request.body;
      readProperties(request.body, request.account);
      const [loaded = pdf] = await references.load(request, [{ path: 'pdf', source: pdf }]);
      return loaded;
    },
    async loadField(request, path, source) {
      const [loaded = source] = await references.load(request, [{ path, source }]);
      return loaded;
    },
    async loadAll(request) {
      const { pdfs } = request.body;
      readProperties(request.body, request.account);
      return references.load(
        request,
        pdfs.map((source, index) => ({ path: `pdfs[${index}]`, source })),
      );
    },
    async deliver<Fields extends object>(request: DeliveryRequest, { fields, ...made }: Result<Fields>) {
      const response = await deliverFile(request, made, 'application/pdf');
      if (response instanceof Response) return response;
      return { ...response, ...fields } as Static<typeof PdfAnswer> & Fields;
    },
    deliverArchive: (request, { zip, ...made }) =>
      deliverFile(request, { ...made, pdf: zip }, 'application/zip'),
    async deliverParts({ account, request, body, startedAt }, operation, parts) {
      const properties = readProperties(body, account);
      const digits = String(parts.length).length;
      const partName = (fileName: string, index: number) =>
        fileName.replace(/\.pdf$/i, `-${String(index + 1).padStart(digits, '0')}.pdf`);
      const stored: FileRecord[] = [];
      for (let start = 0; start < parts.length; start += CONCURRENT_WRITES) {
        const some = parts.slice(start, start + CONCURRENT_WRITES);
        const writes = some.map((part, offset) => {
          const { fileName } = properties;
          const name = fileName === null ? null : partName(fileName, start + offset);
          return store(account, operation, { ...part, properties: { ...properties, fileName: name } });
        });
        stored.push(...(await Promise.all(writes)));
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
      const name = properties.fileName ?? 'part.pdf';
      const entries = parts.map(({ pdf }, index) => ({ name: partName(name, index), content: pdf }));
      const pages = parts.reduce((sum, part) => sum + part.pages, 0);
      const { stream, sizeBytes } = streamArchive(entries);
      const fileName = (properties.fileName ?? `${operation}.pdf`).replace(/\.pdf$/i, '.zip');
      return sendFile(
        { body: stream, mediaType: 'application/zip', fileName, sizeBytes, entries },
        resultHeaders({ pages, startedAt }),
      );
    },
    async save({ account, operation, ...file }) {
      const record = await store(account, operation, file);
      await records.insert(record);
      return record;
    },
    async get(accountId, id) {
      const record = await find(accountId, id);
      if (!record) throw notFound('file');
      return record;
    },
    async list(accountId, { reference, limit, offset }) {
      const where = { accountId, ...(reference !== undefined && { reference }), either: unexpired() };
      return findPage(records, { where, limit, offset });
    },
    readProperties,
    async open({ id }) {
      return files.get(id).catch((error: unknown) => {
        throw error instanceof FileNotFoundError ? notFound('file') : error;
      });
    },
    async remove(accountId, id) {
      await pdfFiles.get(accountId, id);
      // After a crash, the deletion is completed at the next start. The delay leaves the record to this call.
      await deletions.schedule(FILE, [{ id, at: Date.now() + DELETION_CLAIM_MS }]);
      // One of several concurrent calls deletes the record.
      const deleted = await records.delete({ id, accountId });
      await deletions.delete(FILE, [id]);
      if (deleted === 0) throw notFound('file');
    },
    link,
  };
  return pdfFiles;
}

/** Returns how a result is sent: as the field `output` says or, without it, as the Accept header prefers. */
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
