import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { CommandWriter } from './command-writer.ts';

/** Opens a writer and collects the commands that arrive at the other end. */
function openWriter() {
  const output = new PassThrough();
  const writer = new CommandWriter(output);
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const received = () =>
    Buffer.concat(chunks)
      .toString()
      .split('\0')
      // The text after the last null byte is an incomplete command.
      .slice(0, -1)
      .map((text): unknown => JSON.parse(text));
  /** Tells whether the last command has arrived whole. */
  const isComplete = () => chunks.at(-1)?.at(-1) === 0;
  return { output, writer, received, isComplete };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1);
}

test('a short command is written at once', () => {
  const { writer, output, received } = openWriter();
  const command = { id: 1, method: 'Page.enable', sessionId: 'A' };
  writer.write(command);
  output.read();
  expect(received()).toEqual([command]);
});

test('a long parameter arrives unchanged, with all other fields', async () => {
  const { writer, received } = openWriter();
  // Quotes, control characters and surrogate pairs at every offset around the ends of pieces; half a pair at
  // the end.
  const html = `${'a'.repeat(131_071)}😀${'\u0000"\\é😀'.repeat(60_000)}\ud83d`;
  const command = {
    id: 2,
    method: 'Page.setDocumentContent',
    params: { frameId: 'F', html, other: [1] },
    sessionId: 'A',
  };
  writer.write(command);
  await until(() => received().length === 1);
  expect(received()).toEqual([command]);
});

test('commands arrive in order, even after long ones', async () => {
  const { writer, received } = openWriter();
  const long = 'x'.repeat(2_000_000);
  for (const id of [1, 2, 3, 4, 5])
    writer.write({ id, method: 'm', ...(id % 2 === 0 && { params: { long } }) });
  await until(() => received().length === 5);
  expect(received().map((command) => (command as { id: number }).id)).toEqual([1, 2, 3, 4, 5]);
});

test('other work runs while a long command is written', async () => {
  const { writer, isComplete } = openWriter();
  writer.write({ id: 1, method: 'm', params: { html: 'é'.repeat(20_000_000) } });
  let turns = 0;
  for (; !isComplete(); turns += 1) await Bun.sleep(0);
  expect(turns).toBeGreaterThan(5);
});

test('writing stops when the browser ends', async () => {
  const output = new PassThrough();
  const writer = new CommandWriter(output);
  output.on('error', () => {});
  writer.write({ id: 1, method: 'm', params: { html: 'x'.repeat(5_000_000) } });
  await until(() => output.listenerCount('drain') > 0);
  output.destroy();
  writer.write({ id: 2, method: 'm' });
  await until(() => output.listenerCount('drain') === 0);
  expect(output.destroyed).toBe(true);
});
