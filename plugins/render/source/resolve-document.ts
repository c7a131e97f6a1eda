import type { PreparedSource, PrepareAssets } from '../assets/prepare-assets.ts';
import type { PageRequest } from '../contract.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import { resolveSource, type DataNotes, type SourceParts } from './source.ts';

/** The services that {@link resolveDocument} uses. */
export interface DocumentParts extends SourceParts {
  prepareAssets: PrepareAssets;
}

/** Resolves the source of a document, and prepares it for the assets of its account. */
export async function resolveDocument(
  parts: DocumentParts,
  {
    request,
    accountId,
    receipt,
  }: { request: PageRequest; accountId: string; receipt: ReceiptDraft | undefined },
): Promise<PreparedSource> {
  receipt?.clock.enter('template');
  if (receipt) receipt.hasNoData = 'html' in request.source && request.data === undefined;
  const notes: DataNotes = receipt ?? {
    noteMismatches() {},
    noteMissingVariables() {},
    noteReplacedLanguage() {},
  };
  const resolved = await resolveSource({ ...request, accountId }, parts, notes);
  return parts.prepareAssets(accountId, resolved);
}
