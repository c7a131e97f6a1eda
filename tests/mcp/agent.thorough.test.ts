import { readFile } from 'node:fs/promises';
import { expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { sharedService } from '../support/service/shared-service.ts';
import { CORRECTED, FIRST_DRAFT, makeInvoiceTemplate } from './agent-session.ts';
import { connect } from './connect.ts';

const service = sharedService();
const docs = new URL('../../docs/agents.md', import.meta.url);

test('an agent makes a template, finds that it overflows, corrects it and stores a draft', async () => {
  await using client = await connected();
  const { calls, id, transcript } = await makeInvoiceTemplate(client);
  const [saved, refused, first, looked, checked, draft, second, rechecked] = calls;
  expect(saved?.answer).toMatchObject({ version: 1, saved: 'template', is_public: false });
  expect(refused?.isError).toBe(true);
  expect(refused?.text).toContain('customer.name');
  expect(refused?.text).toContain('items');
  expect(first?.answer).toMatchObject({ status: 'completed', pages: 1 });
  const [image] = looked?.images ?? [];
  expect(image && PNG.sync.read(image).width).toBe(600);
  expect(checked?.answer).toMatchObject({ ok: false, findings: [{ code: 'OVERFLOW' }] });
  expect(draft?.answer).toMatchObject({
    id,
    version: 2,
    current_version: 1,
    draft_version: 2,
    saved: 'draft',
  });
  expect(second?.answer).toMatchObject({ pages: 1, warnings: [] });
  expect(rechecked?.answer).toMatchObject({ ok: true, findings: [] });

  const current = await service().get(`/v1/templates/${id}`);
  expect(current.body).toMatchObject({ html_content: FIRST_DRAFT, version: 1, draft_version: 2 });
  const stored = await service().get(`/v1/templates/${id}?version=draft`);
  expect(stored.body.html_content).toBe(CORRECTED);
  const { body: log } = await service().get(
    '/v1/audit',
    await service().newKeyOfAccount({ scopes: ['audit'] }),
  );
  expect(
    log.data
      .filter(({ action }: { action: string }) => action.startsWith('template.'))
      .map(({ action, target, outcome }: Record<string, string>) => [action, target, outcome]),
  ).toEqual([
    ['template.updated', id, 'completed'],
    ['template.created', id, 'completed'],
  ]);
  // `docs/agents.md` shows this transcript.
  expect(await readFile(docs, 'utf8')).toContain(`\`\`\`text\n${transcript}\n\`\`\``);
});

async function connected() {
  const client = await connect(service());
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
