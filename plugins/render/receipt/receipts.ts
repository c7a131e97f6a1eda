import type { Collection, CollectionSpec, Log } from '../../../src/plugin.ts';
import { ReceiptDraft, type Receipt } from './receipt.ts';

/** A receipt as it is stored; the id is the generation's. */
export interface StoredReceipt {
  id: string;
  /** A {@link Receipt} as JSON text, so that no rule of a database applies to its content. */
  receipt: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** As long as a link to the PDF is valid. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Receipts have their own collection, so that lists of generations do not read them. */
export const receiptCollection: CollectionSpec<StoredReceipt> = { name: 'receipts', expiry: 'expiresAt' };

/** Keeps receipts for 30 days. */
export interface Receipts {
  /** True when receipts are stored. */
  readonly isOn: boolean;
  /** Begins a receipt. It is also the source of warnings, so it exists when receipts are off. */
  begin(): ReceiptDraft;
  /** Stores a receipt. Never rejects, because a receipt must not fail its document. */
  save(generationId: string, draft: ReceiptDraft | undefined): Promise<void>;
  /** Reads a receipt; `null` when it does not exist or has expired. */
  read(generationId: string): Promise<Receipt | null>;
  delete(generationIds: readonly string[]): Promise<void>;
}

export function createReceipts({
  receipts,
  log,
}: {
  receipts: Collection<StoredReceipt>;
  log: Log;
}): Receipts {
  return {
    isOn: true,
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
    async delete(ids) {
      await receipts.delete({ id: { in: ids } });
    },
  };
}

export const noReceipts: Receipts = {
  isOn: false,
  begin: () => new ReceiptDraft(),
  save: async () => {},
  read: async () => null,
  delete: async () => {},
};
