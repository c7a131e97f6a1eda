import {
  DuplicateKeyError,
  FileNotFoundError,
  ownedRecords,
  type AccountData,
  type Collection,
  type CollectionSpec,
  type FileStore,
  type Log,
  type Sealer,
} from '../../../src/plugin.ts';
import type { PreparedSource } from '../assets/prepare-assets.ts';
import type { Generation, PageRequest, StoredPdf } from '../contract.ts';
import { hasExpired } from '../generations/delete-generations.ts';
import type { PrintSetup } from '../print/print-options.ts';
import type { Receipt, ReceiptDraft } from '../receipt/receipt.ts';
import type { Receipts } from '../receipt/receipts.ts';
import { MAX_CLASSIFIED_CHARACTERS } from '../source/classify.ts';

/**
 * The generation that printed a document, which an identical request may repeat. It has no content: the file,
 * the warnings and the receipt are those of the generation, and are deleted with it.
 */
export interface CacheEntry {
  /** The keyed hash of everything that decides the PDF. */
  id: string;
  accountId: string;
  generationId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
}

export const cacheEntries: CollectionSpec<CacheEntry> = {
  name: 'render_cache',
  expiry: 'expiresAt',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'asc' } }],
};

/** Declares the entries as data of their accounts. */
export function cacheData(collection: Collection<CacheEntry>): AccountData {
  return ownedRecords({
    name: 'render-cache',
    collection,
    present: ({ generationId, expiresAt }) => ({
      record: { generation_id: generationId, expires_at: new Date(expiresAt).toISOString() },
    }),
  });
}

/** A larger PDF is printed again, because it would be read into memory. */
const MAX_BYTES = 10_000_000;
/** The class in a header or footer that Chromium replaces with the time of the print. */
const DATE_CLASS = /\bdate\b/;

/** A request that is ready to be printed. */
export interface CacheableJob {
  accountId: string;
  isTest: boolean;
  request: PageRequest;
  setup: PrintSetup;
  image?: unknown;
  finish?: unknown;
  receipt: ReceiptDraft | undefined;
  source: PreparedSource;
}

/** A PDF that was printed before. */
export interface CachedPdf extends Pick<StoredPdf, 'pages' | 'warnings' | 'proof'> {
  pdf: Uint8Array;
  receipt: Receipt | null;
}

/** Finds PDFs of identical requests of an account. Never rejects: if it fails, the PDF is printed. */
export interface PrintCache {
  /**
   * Returns the key of a request: a hash of the resolved document, of all options and of the revision of the
   * assets. Returns `undefined` for a request whose PDF depends on more: the time, a secret, another file.
   */
  keyOf(job: CacheableJob): Promise<string | undefined>;
  find(key: string, accountId: string): Promise<CachedPdf | undefined>;
  /** Remembers a printed PDF, unless its document ran scripts or could load from the network. */
  remember(
    key: string,
    made: { accountId: string; generationId: string; receipt: ReceiptDraft; sizeBytes: number | null },
  ): Promise<void>;
}

export function createPrintCache({
  seconds,
  version,
  browserVersion,
  cacheEntries: entries,
  generations,
  receipts,
  files,
  sealer,
  log,
}: {
  /** How long a PDF may be repeated. */
  seconds: number;
  /** The version of the service. */
  version: string;
  /** Returns the version of Chromium. */
  browserVersion: () => Promise<string | undefined>;
  cacheEntries: Collection<CacheEntry>;
  generations: Collection<Generation>;
  receipts: Pick<Receipts, 'read'>;
  files: Pick<FileStore, 'get'>;
  sealer: Sealer;
  log: Log;
}): PrintCache {
  async function read(key: string, accountId: string): Promise<CachedPdf | undefined> {
    const entry = await entries.get(key);
    if (entry?.accountId !== accountId || entry.expiresAt <= Date.now()) return undefined;
    const generation = await generations.get(entry.generationId);
    if (generation?.accountId !== accountId || hasExpired(generation)) return undefined;
    const { fileId, pages, status, warnings = [], proof } = generation;
    if (status !== 'completed' || fileId === null || pages === null) return undefined;
    const { stream } = await files.get(fileId);
    const [pdf, receipt] = await Promise.all([new Response(stream).bytes(), receipts.read(generation.id)]);
    return { pdf, pages, warnings, ...(proof && { proof }), receipt };
  }

  return {
    async keyOf({ accountId, finish, image, isTest, receipt, request, setup, source }) {
      const { document, header, footer, firstPage, assets, browser } = source;
      const { signature, protect, watermark, attachments, invoice, ...options } = request.options ?? {};
      const others = [image, finish, request.page, signature, protect, watermark, attachments, invoice];
      if (others.some((part) => part !== undefined) || !receipt) return undefined;
      // A longer document is printed as an active one, and would take long to hash.
      if (typeof document !== 'string' || document.length > MAX_CLASSIFIED_CHARACTERS) return undefined;
      // The version of the earlier browser is not known before it starts.
      if (setup.browser === 'earlier') return undefined;
      const headers = [header, footer, firstPage?.header, firstPage?.footer];
      if (headers.some((text) => text !== undefined && DATE_CLASS.test(text))) return undefined;
      const { missingVariables, replacedLanguage, schemaMismatches } = receipt.soFar();
      return sealer.hash(
        'print cache',
        JSON.stringify([
          version,
          await browserVersion(),
          accountId,
          isTest,
          document,
          headers,
          assets?.base ?? null,
          { ...setup, browser, header: null, footer: null, firstPage: null },
          options,
          // The warnings are those of the earlier request.
          missingVariables,
          replacedLanguage,
          schemaMismatches,
          receipt.hasNoData,
        ]),
      );
    },
    async find(key, accountId) {
      try {
        return await read(key, accountId);
      } catch (error) {
        // The generation was deleted meanwhile.
        if (!(error instanceof FileNotFoundError)) log.warn({ err: error }, 'the cache could not be read');
        return undefined;
      }
    },
    async remember(id, { accountId, generationId, receipt, sizeBytes }) {
      if (receipt.documentClass !== 'plain' || sizeBytes === null || sizeBytes > MAX_BYTES) return;
      const createdAt = Date.now();
      const entry = { id, accountId, generationId, createdAt, expiresAt: createdAt + seconds * 1000 };
      try {
        await entries.insert(entry).catch(async (error: unknown) => {
          if (!(error instanceof DuplicateKeyError)) throw error;
          const { id: _, ...fields } = entry;
          await entries.update({ id, accountId }, fields);
        });
      } catch (error) {
        log.warn({ err: error }, 'a PDF was not remembered in the cache');
      }
    },
  };
}
