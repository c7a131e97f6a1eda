import {
  ConfigError,
  DELETION_DELAY_MS,
  FileNotFoundError,
  findPage,
  LINK_LIFETIME_MS,
  newFileId,
  notFound,
  rememberStored,
  type Account,
  type Collection,
  type Deletions,
  type FileStore,
  type Webhooks,
} from '../../src/plugin.ts';
import type { FileRecord } from './collections.ts';
import type { AcceptUpload, FilesService, TestMark } from './contract.ts';
import { createDelivery } from './deliver.ts';
import { createdEventId, openFileEvents } from './events.ts';
import { createProof } from './proof/proof.ts';
import { References } from './references.ts';
import {
  createPropertiesReader,
  isExpired,
  ofMode,
  unexpired,
  type PlanRetention,
} from './result-properties.ts';

/** The kind under which deletions of files are registered. */
export const FILE = 'file';
/** How many files are written at once. */
const CONCURRENT_WRITES = 8;

/** Creates the service, except for the images of pages. */
export function createFilesService({
  records,
  files,
  deletions,
  webhooks,
  plans,
  testMark,
}: {
  records: Collection<FileRecord>;
  files: FileStore;
  deletions: Deletions;
  webhooks: Pick<Webhooks, 'outbox' | 'delete'>;
  plans: PlanRetention;
  testMark: TestMark;
}): Omit<FilesService, 'sendPageImage'> {
  const references = new References(files);
  references.register('files', {
    file_: async (accountId, id) => {
      const record = await find(accountId, id);
      return record && { fileId: id, sizeBytes: record.sizeBytes, fileName: record.fileName };
    },
  });
  deletions.register(FILE, async (ids) => {
    for (const id of ids) await files.delete(id);
    await records.delete({ id: { in: ids } });
    await webhooks.delete(ids.map(createdEventId));
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
      documentType,
    }: Omit<Parameters<FilesService['save']>[0], 'account' | 'operation'>,
  ): Promise<FileRecord> {
    const id = newFileId(documentType ?? mediaType);
    const { expiresAt } = properties;
    // The deletion is scheduled before the file is stored, so that a crash leaves no file beyond its
    // lifetime. It is due only after the record is stored; an earlier deletion would find nothing.
    if (expiresAt !== null)
      await deletions.schedule(FILE, [{ id, at: Math.max(expiresAt, Date.now() + DELETION_DELAY_MS) }]);
    const proof = await createProof(pdf, { claims, steps });
    await files.put(id, pdf);
    rememberStored(pdf, id);
    const createdAt = Date.now();
    return {
      id,
      accountId: account.id,
      operation,
      pages,
      sizeBytes: pdf.length,
      ...properties,
      ...(proof && { proof }),
      createdAt,
      unreportedAt: createdAt,
    };
  }

  let acceptUpload: AcceptUpload | undefined;

  const link: FilesService['link'] = ({ id, expiresAt, fileName }) =>
    files.link(id, {
      expiresAt: Math.min(Date.now() + LINK_LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY),
      fileName,
    });

  const outbox = openFileEvents({ records, webhooks, link });

  const readProperties = createPropertiesReader(plans);

  const save: FilesService['save'] = async ({ account, operation, ...file }) => {
    const record = await store(account, operation, file);
    await records.insert(record);
    outbox.report(record);
    return record;
  };

  const get: FilesService['get'] = async (accountId, id) => {
    const record = await find(accountId, id);
    if (!record) throw notFound('file');
    return record;
  };

  const delivery = createDelivery({
    markResult: (made) => testMark.markResult(made),
    readProperties,
    save,
    async saveParts(account, operation, parts) {
      const stored: FileRecord[] = [];
      for (let start = 0; start < parts.length; start += CONCURRENT_WRITES) {
        const some = parts.slice(start, start + CONCURRENT_WRITES);
        stored.push(...(await Promise.all(some.map((part) => store(account, operation, part)))));
      }
      await records.insertMany(stored);
      for (const record of stored) outbox.report(record);
      return stored;
    },
    link,
  });

  return {
    ...delivery,
    ...testMark,
    registerReferences: (plugin, resolvers) => references.register(plugin, resolvers),
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
    async loadDocument(request, path, source) {
      const [loaded = source] = await references.load(request, [{ path, source }], { pdfOnly: false });
      return loaded;
    },
    acceptUploads(accept) {
      if (acceptUpload) throw new ConfigError('two plugins accept uploads that are no PDFs');
      acceptUpload = accept;
    },
    acceptUpload: async (upload) => acceptUpload?.(upload),
    async loadAll(request) {
      const { pdfs } = request.body;
      readProperties(request.body, request.account);
      return references.load(
        request,
        pdfs.map((source, index) => ({ path: `pdfs[${index}]`, source })),
      );
    },
    save,
    get,
    async list(accountId, { reference, test, ...page }) {
      const where = {
        accountId,
        ...(reference !== undefined && { reference }),
        ...ofMode(test),
        either: unexpired(),
      };
      return findPage(records, { where, at: (id) => ({ accountId, id }), page });
    },
    readProperties,
    async open({ id }) {
      return files.get(id).catch((error: unknown) => {
        throw error instanceof FileNotFoundError ? notFound('file') : error;
      });
    },
    async remove(accountId, id) {
      await get(accountId, id);
      // After a crash, the deletion is completed at the next start. The delay leaves the record to this call.
      await deletions.schedule(FILE, [{ id, at: Date.now() + DELETION_DELAY_MS }]);
      // One of several concurrent calls deletes the record.
      const deleted = await records.delete({ id, accountId });
      await deletions.delete(FILE, [id]);
      if (deleted === 0) throw notFound('file');
    },
    link,
  };
}
