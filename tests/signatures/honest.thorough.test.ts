import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfDocument } from '../../packages/pdf/objects/index.ts';
import { inspectSignatures } from '../../packages/signatures/index.ts';
import { formPdf, widget } from '../support/pdf/form-samples.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { requirePdfBox, runPdfBox } from './pdfbox.ts';
import { TIMEOUT_MS, requirePyHanko, runPython, startPki } from './pyhanko.ts';

const SOURCES = ['table', 'streams', 'linearized', 'form', 'form-linearized', 'encrypted'];

/** Writes the same pages and the same form with different cross-reference information. Returns the paths. */
async function writeSources(folder: string): Promise<string[]> {
  const path = (name: string) => join(folder, `${name}.pdf`);
  const run = (...args: string[]) => Bun.$`qpdf ${args}`.quiet();
  await Bun.write(path('table'), Buffer.from(pagesPdf(2), 'latin1'));
  const fields = ['name', 'other'].map((name, index) =>
    widget(`/FT/Tx/T(${name})/Rect[10 ${700 - 40 * index} 210 ${720 - 40 * index}]`),
  );
  await Bun.write(path('form'), Buffer.from(formPdf(fields), 'latin1'));
  await run('--object-streams=generate', path('table'), path('streams'));
  await run('--linearize', path('table'), path('linearized'));
  await run('--linearize', '--object-streams=generate', path('form'), path('form-linearized'));
  await run('--encrypt', '', 'owner', '256', '--', path('table'), path('encrypted'));
  return SOURCES.map(path);
}

/** Returns the faults of changes after the signatures of a file. */
async function alarmsOf(path: string): Promise<string[]> {
  const { signatures } = await inspectSignatures(PdfDocument.open(await readFile(path)));
  if (signatures.length === 0) return ['has no signature'];
  return signatures
    .filter(({ later }) => later.changes === 'not_allowed')
    .flatMap(({ field, later }) => later.faults.map((fault) => `${field}: ${fault}`));
}

async function expectNoAlarms(folder: string, names: readonly string[]): Promise<void> {
  const alarms: Record<string, string[]> = {};
  for (const name of names) {
    const found = await alarmsOf(join(folder, name));
    if (found.length > 0) alarms[name] = found;
  }
  expect(alarms).toEqual({});
}

describe.if(requireTools() && requirePyHanko())('changes that pyHanko made', () => {
  let folder: string;
  let sources: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-honest-'));
    sources = await writeSources(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test(
    'by signing existing fields are allowed',
    async () => {
      const names = await runPython<string[]>('sign_and_validate.py', 'sign', folder, ...sources);
      expect(names.length).toBeGreaterThan(40);
      await expectNoAlarms(folder, names);
    },
    TIMEOUT_MS,
  );

  test(
    'by signing, timestamps and validation data are allowed',
    async () => {
      await using pki = await startPki();
      const port = pki.host.slice(pki.host.indexOf(':') + 1);
      for (const source of sources.filter((each) => !each.includes('encrypted'))) {
        const names = await runPython<string[]>('pki.py', 'sign', pki.folder, port, source);
        await expectNoAlarms(pki.folder, names);
      }
    },
    TIMEOUT_MS,
  );
});

describe.if(requireTools() && requirePdfBox())('changes that PDFBox made', () => {
  test(
    'by signing again and filling in are allowed',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'platen-honest-'));
      try {
        const names: string[] = [];
        for (const source of (await writeSources(folder)).filter((each) => !each.includes('encrypted'))) {
          const step = (suffix: string) => source.replace('.pdf', `.${suffix}.pdf`);
          runPdfBox('sign', source, step('signed'));
          runPdfBox('sign', step('signed'), step('twice'));
          names.push(step('twice'));
          if (!source.includes('form')) continue;
          runPdfBox('fill', step('signed'), step('filled'), 'name', 'Ada');
          runPdfBox('sign', step('filled'), step('filled-signed'));
          names.push(step('filled'), step('filled-signed'));
        }
        await expectNoAlarms('', names);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    TIMEOUT_MS,
  );
});
