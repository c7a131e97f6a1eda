import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamArchive } from './parts-archive.ts';

const entries = [
  { name: 'a.pdf', content: Buffer.from('first') },
  { name: 'b.pdf', content: new Uint8Array() },
  {
    name: 'c.pdf',
    content: new Uint8Array(crypto.getRandomValues(new Uint8Array(60_000)).buffer.transfer(700_000)),
  },
];

test('an archive, even of no entries, has the announced size and the same bytes each time', async () => {
  for (const some of [entries, []]) {
    const { stream, sizeBytes } = streamArchive(some);
    const archive = await new Response(stream).bytes();
    expect(archive.length).toBe(sizeBytes);
    expect(Buffer.compare(archive, await new Response(streamArchive(some).stream).bytes())).toBe(0);
  }
});

test.skipIf(Bun.which('python3') === null)(
  'an independent reader finds every entry in order and intact',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-zip-'));
    try {
      const file = join(folder, 'a.zip');
      await Bun.write(file, await new Response(streamArchive(entries).stream).bytes());
      const script =
        'import sys,zipfile,hashlib;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),*[n+":"+hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()])';
      const output = await Bun.$`python3 -c ${script} ${file}`.text();
      const hashes = entries.map(
        ({ name, content }) => `${name}:${new Bun.CryptoHasher('sha256').update(content).digest('hex')}`,
      );
      expect(output.trim().split(' ')).toEqual(['None', ...hashes]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
