// Stores invoice.html as a template and its id in invoice.id: node save.mjs
// The second run stores a new version.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const server = process.env.PLATEN_URL ?? 'http://127.0.0.1:3000';
const id = existsSync('invoice.id') ? readFileSync('invoice.id', 'utf8') : undefined;

const response = await fetch(`${server}/v1/templates${id ? `/${id}` : ''}`, {
  method: id ? 'PUT' : 'POST',
  headers: { Authorization: `Bearer ${process.env.PLATEN_API_KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    name: 'Invoice',
    html_content: readFileSync('invoice.html', 'utf8'),
    schema: { number: 'string', currency: 'string', due: 'date', customer: 'object', items: 'array' },
  }),
});
const template = await response.json();
if (!response.ok) throw new Error(template.error.message);

writeFileSync('invoice.id', template.id);
console.log(`${template.id} has version ${template.version}`);
