import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { pagesPdf } from '../support/pdf/samples.ts';
import { invoice } from '../../packages/einvoice/tests/build-invoice.ts';
import { certificateFile, storeCertificate } from '../support/signatures/certificates.ts';
import { formOf, postForm } from '../support/service/multipart.ts';
import { describeWithPdfTools } from '../support/pdf/pdf.ts';
import { toPem } from '../../packages/signatures/tests/certificates.ts';
import { startTsa } from '../support/signatures/tsa-server.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { guidesFolder, runCommand } from './guide.ts';

setDefaultTimeout(300_000);

const tsa = await startTsa();
const service = sharedService({ config: { plugins: { 'pdf-tools': { tsaUrl: tsa.url, protect: true } } } });

/** The PDFs that the commands read and do not write. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  'pdf-operations.md': [
    'contract',
    'cover',
    'draft',
    'exhibits',
    'final',
    'form',
    'invoice',
    'letter',
    'offer',
    'report',
    'scan',
  ],
  'signatures.md': ['contract', 'report'],
  'invoices.md': ['letter'],
};

async function readDoc(name: string): Promise<{ commands: string[]; json: string[] }> {
  const text = await readFile(join(guidesFolder, '..', name), 'utf8');
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
  const commands = blocks('sh').flatMap((block) => block.match(/^\S(?:.*\\\n)*.*$/gm) ?? []);
  return { commands, json: blocks('json') };
}

/** Creates the files that a reader of a page has. Returns the names of the PDFs. */
async function fill(folder: string, doc: string, json: readonly string[]): Promise<string[]> {
  const names = (INPUTS[doc] ?? []).map((name) => `${name}.pdf`);
  const image = new PNG({ width: 40, height: 20 });
  const others = {
    'paid.png': PNG.sync.write(image),
    'tagged.pdf': await service().pdf({
      html: '<h1>Annual report</h1>',
      options: { accessible: 'report' },
      output: 'base64',
    }),
    'roots.pem': toPem(tsa.root),
    'signer.p12': certificateFile('rsa.p12'),
    ...(doc === 'invoices.md'
      ? { 'invoice.json': json[0] ?? '' }
      : { 'data.json': JSON.stringify(invoice()) }),
  };
  for (const name of names) await writeFile(join(folder, name), pagesPdf(10), 'latin1');
  for (const [name, content] of Object.entries(others)) await writeFile(join(folder, name), content);
  return names;
}

/** Returns a function that replaces the address and the ids of the examples in a command. */
async function adapt(): Promise<(command: string) => string> {
  const certificate = await storeCertificate(service(), 'rsa.p12');
  const upload = formOf([['file', Buffer.from(pagesPdf(1), 'latin1')]]);
  const { body } = await postForm(service(), '/v1/files', upload);
  return (command) =>
    command.replaceAll(/\bcert_\w{24}\b/g, certificate).replaceAll(/\bfile_\w{24}\b/g, body.id);
}

/** The first bytes of the files that the commands write. */
const SIGNATURES: Readonly<Record<string, string>> = { pdf: '%PDF-', zip: 'PK', json: '{' };

describeWithPdfTools('the commands of a page', () => {
  test.each(Object.keys(INPUTS))('work one after the other: docs/%s', async (doc) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-doc-'));
    try {
      const { commands, json } = await readDoc(doc);
      const written = new Set(await fill(folder, doc, json));
      const adapted = await adapt();
      expect(commands.length).toBeGreaterThan(2);
      for (const command of commands) {
        const result = await runCommand(['sh', '-ec', adapted(command)], {
          cwd: folder,
          env: { PLATEN_API_KEY: service().key, PLATEN_URL: service().url },
        });
        expect([command, result.code, result.errors]).toEqual([command, 0, '']);
        const [, file, extension = ''] = / (?:-o|>) (\S+\.(\w+))/.exec(command) ?? [];
        if (file === undefined) {
          expect([command, JSON.parse(result.output).error]).toEqual([command, undefined]);
          continue;
        }
        // A file that two commands write, or that is an input, would change the results of other commands.
        expect([command, written.has(file)]).toEqual([command, false]);
        written.add(file);
        const signature = SIGNATURES[extension] ?? 'an unknown extension';
        const start = (await readFile(join(folder, file), 'latin1')).slice(0, signature.length);
        expect([command, start]).toEqual([command, signature]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
