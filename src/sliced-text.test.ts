import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { decodeText, encodeText } from './sliced-text.ts';

test.each(['a', 'é', '中', '😀', 'a😀中', '\uFEFF'])(
  'text of %s is encoded and decoded whole',
  async (unit) => {
    for (const shift of ['', 'x', 'xy', 'xyz']) {
      const text = shift + unit.repeat(300_000);
      const bytes = await encodeText(text);
      expect(Buffer.compare(bytes, Buffer.from(text))).toBe(0);
      expect((await decodeText(bytes)) === text).toBe(true);
    }
  },
);

test('unpaired surrogates and invalid bytes become the same characters as with Buffer', async () => {
  const text = `${'x'.repeat(262_143)}\uD83D${'x'.repeat(10)}\uDE00`;
  expect(Buffer.compare(await encodeText(text), Buffer.from(text))).toBe(0);
  for (const byte of [0x80, 0xe2, 0xf0, 0xff]) {
    const bytes = Buffer.alloc(600_000, byte);
    expect((await decodeText(bytes)) === bytes.toString()).toBe(true);
  }
  expect(await decodeText(await encodeText(''))).toBe('');
});

test('other work runs while text is encoded and decoded', async () => {
  const others = { turns: 0, done: false };
  const coded = encodeText('x'.repeat(10_000_000))
    .then(decodeText)
    .finally(() => (others.done = true));
  for (; !others.done; others.turns += 1) await setImmediate();
  await coded;
  expect(others.turns).toBeGreaterThan(30);
});
