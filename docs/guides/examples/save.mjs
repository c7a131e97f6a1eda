// Stores invoice.html as a template and its id in invoice.id: node save.mjs
// The second run stores a new version.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Platen } from '@platen/client';

const platen = new Platen();
const content = {
  name: 'Invoice',
  html_content: readFileSync('invoice.html', 'utf8'),
  schema: { number: 'string', currency: 'string', due: 'date', customer: 'object', items: 'array' },
};
const template = existsSync('invoice.id')
  ? await platen.templates.update(readFileSync('invoice.id', 'utf8'), content)
  : await platen.templates.create(content);
writeFileSync('invoice.id', template.id);
console.log(`${template.id} has version ${template.version}`);
