import { describe, expect, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';
import type { Answer } from '../support/service.ts';

const templates = new URL('../fixtures/plugins/templates.ts', import.meta.url).pathname;
const service = sharedService({
  config: { plugins: { [templates]: {}, render: { timeoutMs: 2_000 } } },
});

const submit = (
  items: unknown,
  { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
) =>
  service().request('POST', '/v1/generate/batch', {
    body: { items },
    headers,
    ...(key !== undefined && { key }),
  });

/** Waits until a batch is completed, and reads it. */
async function completed({ body }: Answer, key?: string): Promise<Answer['body']> {
  const deadline = Date.now() + 25_000;
  for (;;) {
    const read = await service().get(`/v1/batches/${body.batch_id}`, key);
    if (read.body.status === 'completed') return read.body;
    if (Date.now() > deadline) throw new Error(`not completed: ${JSON.stringify(read.body)}`);
    await Bun.sleep(20);
  }
}

const pages = (count: number) => Array.from({ length: count }, (_, index) => ({ html: `<p>${index}</p>` }));
const statusesOf = (batch: Answer['body']) =>
  batch.generations.map(({ status }: { status: string }) => status);

describe('POST /v1/generate/batch', () => {
  test('accepts items, makes each, and shows how far it is', async () => {
    const accepted = await submit(pages(12));
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ total: 12, status: 'queued' });
    expect(accepted.body.batch_id).toMatch(/^batch_[0-9A-Za-z]{24}$/);
    expect(accepted.body.generations.map(({ index }: { index: number }) => index)).toEqual(
      pages(12).map((_, index) => index),
    );
    const batch = await completed(accepted);
    expect(batch).toMatchObject({ total: 12, completed: 12, failed: 0, status: 'completed' });
    const { body } = await service().get(`/v1/generations/${accepted.body.generations[7].id}`);
    expect(body).toMatchObject({ status: 'completed', pages: 1, input_type: 'html', error: null });
    const pdf = Buffer.from(await service().download(body.url));
    expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
  });
});
