// Shows a page of invoice.html as page.png: node preview.mjs [page] [--watch]
import { readFile, watch, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Platen } from '@platen/client';

const platen = new Platen();
const page = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1);

async function preview() {
  const body = {
    html_content: await readFile('invoice.html', 'utf8'),
    data: JSON.parse(await readFile('invoice.json', 'utf8')),
    options: JSON.parse(await readFile('options.json', 'utf8')),
    output: 'png',
    page,
    receipt: true, // the response is JSON
  };
  const { data, pages } = await platen.request('POST /v1/templates/preview', { body });
  await writeFile('page.png', data, 'base64');
  console.log(`page.png shows page ${page} of ${pages}`);
}

await preview().catch((error) => console.log(error.message));
if (process.argv.includes('--watch'))
  for await (const { filename } of watch('.')) {
    if (!/^(invoice|options)\.(html|json)$/.test(filename)) continue;
    await sleep(200); // until the editor has written the whole file
    await preview().catch((error) => console.log(error.message));
  }
