// Makes hello.pdf. Run with Node 20 or newer: node hello.mjs
import { writeFile } from 'node:fs/promises';

const server = process.env.PLATEN_URL ?? 'http://127.0.0.1:3000';

const response = await fetch(`${server}/v1/generate`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${process.env.PLATEN_API_KEY}`,
    Accept: 'application/pdf',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } }),
});
if (!response.ok) throw new Error(await response.text());

await writeFile('hello.pdf', Buffer.from(await response.arrayBuffer()));
console.log('Saved hello.pdf');
