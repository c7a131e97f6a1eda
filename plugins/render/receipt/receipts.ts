import type { Collection, CollectionSpec, Log } from '../../../src/plugin.ts';
import { ReceiptDraft, type Receipt } from './receipt.ts';

/** A receipt as it is stored; the id is the generation's. */
export interface StoredReceipt {
  id: string;
  /** JSON text of a {@link Receipt}: a caller's words in it meet no rule of a database. */
  receipt: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** As long as a link to the PDF holds. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Receipts lie beside the generations, which lists of these would else have to read. */
export const receiptCollection: CollectionSpec<StoredReceipt> = { name: 'receipts', expiry: 'expiresAt' };

/** Keeps receipts for 30 days. */
export interface Receipts {
  /** Begins a receipt; `undefined` where none are kept. */
  begin(): ReceiptDraft | undefined;
  /** Stores a receipt. Never rejects: a document is not lost for want of it. */
  save(generationId: string, draft: ReceiptDraft | undefined): Promise<void>;
  /** Reads a receipt; `null` when there is none, or none any more. */
  read(generationId: string): Promise<Receipt | null>;
}

/** Makes the place where receipts are kept. */
export function createReceipts({
  receipts,
  log,
}: {
  receipts: Collection<StoredReceipt>;
  log: Log;
}): Receipts {
  return {
    begin: () => new ReceiptDraft(),
    async save(id, draft) {
      if (!draft) return;
      const stored = { id, receipt: JSON.stringify(draft.finish()), expiresAt: Date.now() + LIFETIME_MS };
      await receipts
        .insert(stored)
        .catch((error: unknown) => log.warn({ err: error, generation: id }, 'a receipt was not stored'));
    },
    async read(id) {
      const stored = await receipts.get(id);
      return stored && (JSON.parse(stored.receipt) as Receipt);
    },
  };
}

/** Keeps none, and has no PDF looked at for one. */
export const noReceipts: Receipts = { begin: () => undefined, save: async () => {}, read: async () => null };
