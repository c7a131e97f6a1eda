/** Writes docs/openapi.json from a running service. With --check, checks that the committed file is up to date. */
import { join } from 'node:path';
import { TestService } from '../tests/support/service.ts';

const path = join(import.meta.dir, '..', 'docs', 'openapi.json');

await using service = await TestService.start();
const { body } = await service.get('/openapi.json', null);
const text = `${JSON.stringify(body, null, 2)}\n`;

if (!process.argv.includes('--check')) {
  await Bun.write(path, text);
  console.log('docs/openapi.json written');
} else if (
  (await Bun.file(path)
    .text()
    .catch(() => '')) !== text
) {
  console.error('docs/openapi.json is out of date; run: npm run openapi');
  process.exitCode = 1;
}
