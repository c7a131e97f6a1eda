import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installOfficeSamples } from '../../../scripts/servers/office-samples.mjs';
import { ServerMissingError } from '../../../scripts/servers/maven.mjs';
import { convert, describeWithOffice } from '../../support/office/office.ts';
import { drawPages } from '../../support/pdf/pixels.ts';
import { skip } from '../../support/service/servers.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';

const PER_TYPE = 3;

/** Returns documents of each type, spread over the samples, without the tiny ones. */
function chooseSamples(): string[] {
  const folder = installOfficeSamples();
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return ['docx', 'xlsx', 'pptx'].flatMap((type) => {
    const files = all.filter(
      (path) => path.endsWith(`.${type}`) && !path.includes('venv') && !path.includes('_scratch'),
    );
    const step = files.length / PER_TYPE;
    return Array.from({ length: PER_TYPE }, (_, index) =>
      join(folder, files[Math.floor(index * step)] ?? ''),
    );
  });
}

function findSamples(): string[] {
  try {
    return isThorough ? chooseSamples() : [];
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    skip(error.message);
    return [];
  }
}

const samples = findSamples();

/** Converts documents with the command of LibreOffice, and returns the folder of the PDFs. */
async function convertPlainly(files: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-plain-'));
  const command = [
    'soffice',
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    '--convert-to',
    'pdf',
  ];
  const child = Bun.spawn([...command, '--outdir', folder, ...files], {
    // Documents that name no paper have that of /etc/papersize otherwise.
    env: { ...process.env, PAPERSIZE: 'letter' },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  expect(await child.exited).toBe(0);
  return folder;
}

describe.skipIf(samples.length === 0)('a converted document', () => {
  describeWithOffice('has the pages of plain LibreOffice', () => {
    const getService = sharedService({ config: { plugins: { office: { pool: 1 } } } });

    test.each(['docx', 'xlsx', 'pptx'])(
      'in %s files',
      async (type) => {
        const files = samples.filter((path) => path.endsWith(type));
        expect(files.length).toBe(PER_TYPE);
        const plain = await convertPlainly(files);
        try {
          for (const path of files) {
            const name = basename(path);
            const { status, message, pdf } = await convert(getService(), readFileSync(path), { name });
            expect({ name, status, message }).toEqual({ name, status: 200, message: '' });
            const expected = readFileSync(join(plain, name.replace(/\.\w+$/, '.pdf')));
            const [ours, theirs] = [
              await drawPages(pdf, { dpi: 60 }),
              await drawPages(expected, { dpi: 60 }),
            ];
            expect({ name, isEqual: ours.equals(theirs), isBlank: ours.length < 1_000 }).toEqual({
              name,
              isEqual: true,
              isBlank: false,
            });
          }
        } finally {
          rmSync(plain, { recursive: true, force: true });
        }
      },
      300_000,
    );
  });
});
