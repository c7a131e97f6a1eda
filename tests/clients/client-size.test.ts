import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';

const clients = join(import.meta.dir, '..', '..', 'clients');

// The clients are meant to be read. Their types and the operations on PDFs follow from the API.
test.each([
  ['typescript/src/*.ts', 650],
  ['python/src/platen/*.py', 600],
])('%s has fewer than %d lines that are written by hand', async (pattern, limit) => {
  const paths = [...new Glob(pattern).scanSync(clients)];
  const texts = await Promise.all(paths.map((path) => Bun.file(join(clients, path)).text()));
  const [generated, written] = [true, false].map((isGenerated) =>
    texts.filter((text) => /^(?:\/\/|#) Written by `npm run openapi`\.\n/.test(text) === isGenerated),
  );
  expect(generated?.length).toBeGreaterThan(0);
  expect(written?.length).toBeGreaterThan(5);
  const lines = written?.flatMap((text) => text.split('\n').filter((line) => line.trim() !== ''));
  expect(lines?.length).toBeLessThan(limit);
});
