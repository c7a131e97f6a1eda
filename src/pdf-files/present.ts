import type { FileRecord } from './records.ts';
import type { FileAnswer } from './schemas.ts';

/** Converts a record to wire names. */
export function presentFile(record: FileRecord, url: string): FileAnswer {
  return {
    id: record.id,
    operation: record.operation,
    pages: record.pages,
    file_size: record.sizeBytes,
    file_name: record.fileName,
    reference: record.reference,
    metadata: record.metadata,
    created_at: new Date(record.createdAt).toISOString(),
    expires_at: record.expiresAt === null ? null : new Date(record.expiresAt).toISOString(),
    url,
  };
}
