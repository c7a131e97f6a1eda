// Makes invoices from a stored template. Run with Node 20 or newer: node invoices.mjs
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const server = process.env.PLATEN_URL ?? 'http://127.0.0.1:3000';
const key = process.env.PLATEN_API_KEY;

// Sends a request. Tries again while the service is busy (429) or unavailable (503).
async function send(method, path, { json, form, headers } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(server + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(json && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json ? JSON.stringify(json) : form,
    });
    if (response.ok) return response;
    const { error } = await response.json();
    const isTemporary = response.status === 429 || response.status === 503;
    if (!isTemporary || attempt === 5) throw Object.assign(new Error(error.message), error);
    await sleep(1000 * Number(response.headers.get('Retry-After') ?? 1));
  }
}

async function save(response, name) {
  await writeFile(name, Buffer.from(await response.arrayBuffer()));
}

// 1. A stored template, and a PDF of it
const template = await (
  await send('POST', '/v1/templates', {
    json: {
      name: 'Invoice',
      html_content: '<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>',
    },
  })
).json();

const invoice = await send('POST', '/v1/generate', {
  json: { template: template.id, data: { number: 118, total: 49.5 } },
  headers: { Accept: 'application/pdf' },
});
await save(invoice, 'invoice.pdf');
console.log(`invoice.pdf has ${invoice.headers.get('Platen-Pages')} page`);

// 2. Errors
try {
  await send('POST', '/v1/generate', { json: { html: '<p>{{#if paid}}Paid</p>', data: {} } });
} catch (error) {
  console.log(`${error.code}: ${error.message}`);
  for (const { path, message } of error.details) console.log(`  ${path}: ${message}`);
}

// 3. A batch: up to 100 PDFs in the background
const numbers = [119, 120, 121];
const batch = await (
  await send('POST', '/v1/generate/batch', {
    json: {
      items: numbers.map((number) => ({ template: template.id, data: { number, total: 10 } })),
    },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  })
).json();

let state;
do {
  await sleep(500);
  state = await (await send('GET', `/v1/batches/${batch.batch_id}`)).json();
} while (state.status === 'queued' || state.status === 'processing');
console.log(`The batch has ${state.completed} PDFs and ${state.failed} failures`);

const made = await (
  await send('GET', `/v1/generations?batch_id=${batch.batch_id}&status=completed&limit=100`)
).json();
const names = [];
for (const { url, index } of made.data.toSorted((a, b) => a.index - b.index)) {
  names.push(`invoice-${numbers[index]}.pdf`);
  await save(await fetch(url), names.at(-1)); // links need no key
}

// 4. Files as multipart/form-data
const form = new FormData();
for (const name of names) form.append('pdfs', await openAsBlob(name), name);
const merged = await send('POST', '/v1/pdf/merge', { form, headers: { Accept: 'application/pdf' } });
await save(merged, 'invoices.pdf');
console.log(`invoices.pdf has ${merged.headers.get('Platen-Pages')} pages`);

await send('DELETE', `/v1/templates/${template.id}`);
