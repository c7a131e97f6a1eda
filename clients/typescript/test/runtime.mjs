// Runs in Node, Bun and Deno: makes a PDF, saves it, uploads it in two ways and downloads it.
import { createReadStream } from 'node:fs';
import { Platen, PlatenError } from '@platen/client';

const platen = new Platen();
const pdf = await platen.generate({ html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } });
await pdf.save('hello.pdf');
const fromPath = await platen.files.upload('hello.pdf', { file_name: 'hello' });
const streamed = await platen.files.upload(createReadStream('hello.pdf'), { file_name: 'hello' });
const chunks = [];
for await (const chunk of await platen.files.download(streamed.id)) chunks.push(chunk);
const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
const names = [];
for await (const file of platen.files.list({ limit: 1 })) names.push(file.file_name);
const error = await platen.files.upload('missing.pdf').catch((reason) => reason);
console.log(`${pdf.pages} page, ${size === pdf.file_size && fromPath.file_size === size}, ${names.join()}`);
console.log(error instanceof PlatenError && error.message);
