import { presentResultProperties } from './result-properties.ts';
import type { FileRecord } from './collections.ts';
import type { FileResponse } from './schemas.ts';

/** Converts a record to wire names. */
export function presentFile<Url extends string | null>(
  record: FileRecord,
  url: Url,
): Omit<FileResponse, 'url'> & { url: Url } {
  return {
    id: record.id,
    operation: record.operation,
    pages: record.pages,
    file_size: record.sizeBytes,
    ...presentResultProperties(record),
    created_at: new Date(record.createdAt).toISOString(),
    url,
  };
}
