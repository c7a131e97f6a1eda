/**
 * Writes what is made of other code: the lists of operations and tools, docs/openapi.json from a running
 * service, and docs/openapi.sdk.json, the types of the studio and those of the clients from that document.
 * With --check, checks that the committed files are up to date. Fails if docs/openapi.json is too long.
 */
import { join } from 'node:path';
import { pythonTypes } from './clients/python-types.ts';
import { typescriptTypes } from './clients/typescript-types.ts';
import { folderLists } from './folder-lists.ts';
import { studioTypes } from './studio-types.ts';
import { DEFAULT_URL, toSdkDocument } from '../src/http/sdk-document/sdk-document.ts';
import { writeJson } from './write-json.ts';

/** Above this, something is repeated in the document: name it, with a `title` or with `fieldGroup`. */
const MAX_LINES = 18_700;
const isCheck = process.argv.includes('--check');

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = Bun.file(join(import.meta.dir, '..', name));
    if (!isCheck) {
      await file.write(text);
      console.log(`${name} written`);
    } else if ((await file.text().catch(() => '')) !== text) {
      console.error(`${name} is out of date; run: npm run openapi`);
      process.exitCode = 1;
    }
  }
}

await write(folderLists());
// The service, which loads the list of operations, is imported after the list is written.
const { TestService } = await import('../tests/support/service/service.ts');
await using service = await TestService.start();
const { body } = await service.get('/openapi.json', null);
const text = `${writeJson(body)}\n`;
const lines = text.trimEnd().split('\n').length;
if (lines > MAX_LINES) {
  console.error(`docs/openapi.json has ${lines} lines, more than ${MAX_LINES}: name repeated schemas`);
  process.exitCode = 1;
}
const sdkDocument = toSdkDocument(body, DEFAULT_URL);
const python = pythonTypes(sdkDocument);
await write({
  'docs/openapi.json': text,
  'docs/openapi.sdk.json': `${writeJson(sdkDocument)}\n`,
  'clients/typescript/src/types.gen.ts': typescriptTypes(sdkDocument),
  'clients/python/src/platen/types.py': python.types,
  'clients/python/src/platen/_pdf_operations.py': python.operations,
  'plugins/studio/app/data/api-types.ts': studioTypes(body),
});
