import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentsAt } from './documents-in.ts';

test('documentsAt passes over links that lead nowhere or to themselves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-documents-'));
  try {
    writeFileSync(join(folder, 'page.html'), '<p>1</p>');
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('gone', join(folder, 'nowhere'));
    expect(documentsAt(folder)).toEqual([{ path: join(folder, 'page.html'), name: 'page.html' }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
