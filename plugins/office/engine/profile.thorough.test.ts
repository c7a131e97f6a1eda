import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'bun:test';
import { findOffice } from './installation.ts';
import { createProfile } from './profile.ts';

const installation = await findOffice(undefined);

test.skipIf(!installation)('LibreOffice does not test its own drawing in a start', async () => {
  if (!installation) return;
  const folder = await mkdtemp(join(tmpdir(), 'platen-profile-'));
  try {
    await createProfile(installation, folder);
    await Bun.write(join(folder, 'table.csv'), 'a,b\n');
    const command = [
      `${installation.programs}/soffice.bin`,
      `-env:UserInstallation=file://${folder}`,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      join(folder, 'table.csv'),
    ];
    expect(await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited).toBe(0);
    expect(existsSync(join(folder, 'table.pdf'))).toBe(true);
    expect(existsSync(join(folder, 'user', 'GraphicsRenderTests.log'))).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
