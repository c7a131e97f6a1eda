// Shows a page of invoice.html as page.png: node preview.mjs [page] [--watch]
import { readFile, watch, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const server = process.env.PLATEN_URL ?? 'http://127.0.0.1:3000';
const page = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1);

async function preview() {
  const body = {
    html_content: await readFile('invoice.html', 'utf8'),
    data: JSON.parse(await readFile('invoice.json', 'utf8')),
    options: JSON.parse(await readFile('options.json', 'utf8')),
    output: 'png',
    page,
  };
  const response = await fetch(`${server}/v1/templates/preview`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.PLATEN_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.json()).error.message);
  await writeFile('page.png', Buffer.from(await response.arrayBuffer()));
  console.log(`page.png shows page ${page} of ${response.headers.get('Platen-Pages')}`);
}

await preview().catch((error) => console.log(error.message));
if (process.argv.includes('--watch'))
  for await (const { filename } of watch('.')) {
    if (!/^(invoice|options)\.(html|json)$/.test(filename)) continue;
    await sleep(200); // until the editor has written the whole file
    await preview().catch((error) => console.log(error.message));
  }
