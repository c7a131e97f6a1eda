import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unpacks a zip archive with Python. */
export async function unzip(archive: Uint8Array): Promise<{ name: string; content: Buffer }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-zip-'));
  try {
    const file = join(folder, 'a.zip');
    await Bun.write(file, archive);
    const script =
      'import sys,zipfile,base64,json;z=zipfile.ZipFile(sys.argv[1]);print(json.dumps([[n,base64.b64encode(z.read(n)).decode()] for n in z.namelist()]))';
    const parts = (await Bun.$`python3 -c ${script} ${file}`.json()) as [string, string][];
    return parts.map(([name, content]) => ({ name, content: Buffer.from(content, 'base64') }));
  } finally {
    await rm(folder, { recursive: true });
  }
}
