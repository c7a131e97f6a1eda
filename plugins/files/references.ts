import {
  AppError,
  ConfigError,
  FileNotFoundError,
  fileTypeOf,
  invalid,
  notFound,
  type FileStore,
  type FileValue,
} from '../../src/plugin.ts';

/** The stored file that an id refers to. */
export interface ReferencedFile {
  fileId: string;
  sizeBytes: number;
  /** The name that its sender gave it, if any. */
  fileName?: string | null;
}

/**
 * Finds the file of an id. Returns `undefined` if the account has no such id.
 * @throws {AppError} if the id has no file
 */
export type ReferenceResolver = (accountId: string, id: string) => Promise<ReferencedFile | undefined>;

/** A PDF of a request after references are resolved. */
export type LoadedPdf = FileValue;

/** The largest PDF that is processed. */
const MAX_PDF_BYTES = 27_000_000;
/** The size of the largest request body. */
const MAX_TOTAL_BYTES = 150_000_000;
const MAX_ID_CHARACTERS = 40;

/** The account whose references are resolved, and the reservation for the memory of the files. */
export interface LoadRequest {
  account: { id: string };
  /** Reserves memory in addition to the body, until the response. @throws {AppError} RATE_LIMITED */
  reserveMemory: (bytes: number) => void;
}

function nameOf(mediaType: string): string {
  if (mediaType === 'application/zip') return 'a zip archive, not a PDF';
  return mediaType.startsWith('image/')
    ? `an image (${mediaType}), not a PDF`
    : `a document (${mediaType}), not a PDF: convert it with POST /v1/pdf/convert`;
}

/** Returns the name of a stored file. Its ending tells the type. */
function nameOfContent({ fileId, fileName }: ReferencedFile): string {
  return fileName ?? `document.${fileTypeOf(fileId).extension}`;
}

/** Replaces ids in requests, such as `gen_…` and `file_…`, with the files that they refer to. */
export class References {
  readonly #files: Pick<FileStore, 'get'>;
  /** The resolvers and the plugins that registered them, by the prefix of their ids, such as `gen_`. */
  readonly #resolvers = new Map<string, { plugin: string; resolve: ReferenceResolver }>();

  constructor(files: Pick<FileStore, 'get'>) {
    this.#files = files;
  }

  /**
   * Registers the resolvers of a plugin by the prefix of their ids.
   * @throws {ConfigError} for a prefix that is already registered; the message names both plugins
   */
  register(plugin: string, resolvers: Readonly<Record<string, ReferenceResolver>>): void {
    for (const [prefix, resolve] of Object.entries(resolvers)) {
      const other = this.#resolvers.get(prefix);
      if (other)
        throw new ConfigError(
          `the plugin "${plugin}": the reference prefix "${prefix}" is already registered by the plugin "${other.plugin}"`,
        );
      this.#resolvers.set(prefix, { plugin, resolve });
    }
  }

  /**
   * Loads the files of all references among the PDFs of a request. `path` names the field of each in errors.
   * Repeated ids are loaded once.
   * @throws {AppError} NOT_FOUND for an unknown id; VALIDATION_ERROR for files that are too large;
   * RATE_LIMITED when memory is short
   */
  async load(
    { account, reserveMemory }: LoadRequest,
    sources: readonly { path: string; source: FileValue }[],
    { pdfOnly = true } = {},
  ): Promise<LoadedPdf[]> {
    const found = new Map<string, ReferencedFile>();
    let totalBytes = 0;
    let loadedBytes = 0;
    for (const { path, source } of sources) {
      const resolve = typeof source === 'string' && this.#resolverOf(source);
      if (!resolve) continue;
      const shown = source.slice(0, MAX_ID_CHARACTERS);
      const file = found.get(source) ?? (await resolve(account.id, source));
      if (!file) throw notFound(`${path}: ${shown}`);
      const { mediaType } = fileTypeOf(file.fileId);
      if (pdfOnly && mediaType !== 'application/pdf') throw invalid(path, `${shown} is ${nameOf(mediaType)}`);
      if (file.sizeBytes > MAX_PDF_BYTES)
        throw invalid(path, `${shown} is larger than ${MAX_PDF_BYTES} bytes`);
      totalBytes += file.sizeBytes;
      if (totalBytes > MAX_TOTAL_BYTES)
        throw invalid(path, `the files that the request refers to have more than ${MAX_TOTAL_BYTES} bytes`);
      if (!found.has(source)) loadedBytes += file.sizeBytes;
      found.set(source, file);
    }
    if (loadedBytes > 0) reserveMemory(loadedBytes);
    const loaded = new Map<string, LoadedPdf>();
    for (const [id, file] of found)
      loaded.set(id, { raw: await this.#read(id, file), fileName: nameOfContent(file) });
    return sources.map(({ source }) => (typeof source === 'string' && loaded.get(source)) || source);
  }

  #resolverOf(text: string): ReferenceResolver | undefined {
    const [prefix] = /^[a-z]{1,20}_/.exec(text) ?? [];
    return prefix === undefined ? undefined : this.#resolvers.get(prefix)?.resolve;
  }

  async #read(id: string, { fileId, sizeBytes }: ReferencedFile): Promise<Uint8Array> {
    const { stream } = await this.#files.get(fileId).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? notFound(id) : error;
    });
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    let size = 0;
    for await (const chunk of stream) {
      if (size + chunk.length > sizeBytes) throw new AppError('INTERNAL_ERROR', `${id} changed its size`);
      bytes.set(chunk, size);
      size += chunk.length;
    }
    return bytes.subarray(0, size);
  }
}
