import { open, rename, rm } from 'node:fs/promises';
import { reportGarbage } from '@platen/runtime';
import { makeZip } from 'client-zip';
import type { AccountData } from '../account-data.ts';
import { FileNotFoundError, type FileStore } from '../files/files.ts';
import { fileTypeOf } from '../files/media-type.ts';
import type { Account } from './accounts.ts';

/** Everything that an export reads. */
export interface ExportSource {
  account: Account;
  data: readonly AccountData[];
  files: Pick<FileStore, 'get'>;
}

interface Entry {
  name: string;
  input: AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array> | string;
}

/**
 * Writes all data of an account to a zip archive: a JSON file per kind of data, and the files. Reads one file
 * or page of records at a time. The archive appears at its path when it is complete, and only the user of
 * this process can read it.
 * @throws {Error} with the code `EEXIST` when the path exists
 */
export async function exportAccount(parts: ExportSource, path: string): Promise<void> {
  const target = await open(path, 'wx', 0o600);
  await target.close();
  const partial = `${path}.partial`;
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      for await (const chunk of makeZip(entriesOf(parts))) {
        await handle.writeFile(chunk);
        reportGarbage(chunk.length);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, path);
  } catch (error) {
    await Promise.all([partial, path].map((each) => rm(each, { force: true })));
    throw error;
  }
}

/** Returns the archive of {@link exportAccount} as a stream. */
export function streamAccount(parts: ExportSource): ReadableStream<Uint8Array> {
  return makeZip(entriesOf(parts));
}

async function* entriesOf({ account, data, files }: ExportSource): AsyncGenerator<Entry> {
  const { id, email, plan, monthlyLimit, createdAt } = account;
  const record = {
    id,
    email,
    plan,
    monthly_limit: monthlyLimit,
    created_at: new Date(createdAt).toISOString(),
  };
  yield { name: 'account.json', input: `${JSON.stringify(record, null, 2)}\n` };
  for (const kind of data) yield { name: `${kind.name}.json`, input: writeJson(kind, id) };
  for (const kind of data)
    for await (const page of kind.read(id))
      for (const fileId of page.flatMap(({ fileIds = [] }) => fileIds)) {
        const file = await openFile(files, fileId);
        if (file) yield { name: `files/${fileId}.${fileTypeOf(fileId).extension}`, input: file };
      }
}

/** Returns `null` for a file that was deleted during the export. */
async function openFile(
  files: ExportSource['files'],
  id: string,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return (await files.get(id)).stream;
  } catch (error) {
    if (error instanceof FileNotFoundError) return null;
    throw error;
  }
}

/** Writes a JSON array with a record per line. */
async function* writeJson(kind: AccountData, accountId: string): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const page of kind.read(accountId))
    for (const { record } of page) {
      yield separator + JSON.stringify(record);
      separator = ',\n';
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
