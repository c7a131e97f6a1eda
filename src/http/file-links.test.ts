import { expect, test } from 'bun:test';
import { createFileLinks } from './file-links.ts';

test('a signature does not depend on the origin of the link', () => {
  const options = { expiresAt: Date.now() + 60_000 };
  const [a, b] = ['http://a.example', 'https://b.example'].map((base) =>
    createFileLinks('key', () => base).sign('file_1', options),
  );
  expect(a).toStartWith('http://a.example/');
  expect(b).toBe(a?.replace('http://a.example', 'https://b.example'));
});
