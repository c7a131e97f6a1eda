import { presentResultProperties } from '../result-record.ts';
import type { FileRecord } from './records.ts';
import type { FileAnswer } from './schemas.ts';

/** Converts a record to wire names. */
export function presentFile(record: FileRecord, url: string): FileAnswer {
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
