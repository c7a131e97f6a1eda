import { presentPage, readTimeRange, type AuditLog, type Routes } from '../../src/plugin.ts';
import { FORMATS } from './export-lines.ts';
import { AuditList, AuditQuery, entryExample, ExportQuery, type FilterQuery } from './schemas.ts';

/** Mounts the routes of the audit log. */
export function mountRoutes(routes: Routes, log: AuditLog): void {
  routes.get(
    '/v1/audit',
    {
      scope: 'audit',
      summary: 'List the entries of the audit log, newest first',
      operationId: 'listAuditEntries',
      description: 'A key has the scope `audit` only if its creator names it.',
      query: AuditQuery,
      response: { schema: AuditList, example: { data: [entryExample], has_more: false } },
    },
    async ({ account, query }) => {
      const filter = readFilter(query);
      return presentPage(
        query,
        (page) => log.list(account.id, { ...filter, ...page }),
        (entry) => entry,
      );
    },
  );

  routes.get(
    '/v1/audit/export',
    {
      scope: 'audit',
      audit: 'audit.exported',
      summary: 'Export the audit log',
      operationId: 'exportAuditLog',
      description: 'Sends all entries that the filters select, newest first, as they are read.',
      query: ExportQuery,
      response: { mediaTypes: ['text/csv', 'application/x-ndjson'] },
    },
    ({ account, query: { format, ...query } }) => {
      const { mediaType, head, line } = FORMATS[format];
      const pages = log.read(account.id, readFilter(query));
      async function* lines() {
        if (head) yield Buffer.from(head);
        for await (const page of pages) yield Buffer.from(page.map(line).join(''));
      }
      const fileName = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
      return new Response(toStream(lines()), {
        headers: {
          'content-type': mediaType,
          'content-disposition': `attachment; filename="${fileName}"`,
          'cache-control': 'no-store',
        },
      });
    },
  );
}

function readFilter({ actor, action, ...query }: FilterQuery): Parameters<AuditLog['read']>[1] {
  const { from: since, before: until } = readTimeRange(query, ['since', 'until']);
  return { actor, action, since, until };
}

/** Converts a generator to a stream that reads the next page only when the caller has taken the last one. */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
