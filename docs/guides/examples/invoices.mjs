// Makes invoices from a stored template: node invoices.mjs
import { Platen, PlatenError } from '@platen/client';

const platen = new Platen();

// 1. A stored template, and a PDF of it
const template = await platen.templates.create({
  name: 'Invoice',
  html_content: '<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>',
});
const invoice = await platen.generate({ template: template.id, data: { number: 118, total: 49.5 } });
await invoice.save('invoice.pdf');
console.log(`invoice.pdf has ${invoice.pages} page`);

// 2. Errors
try {
  await platen.generate({ html: '<p>{{#if paid}}Paid</p>', data: {} });
} catch (error) {
  if (!(error instanceof PlatenError)) throw error;
  console.log(`${error.code}: ${error.message}`);
  for (const { path, message } of error.details) console.log(`  ${path}: ${message}`);
}

// 3. A batch: up to 100 PDFs in the background
const numbers = [119, 120, 121];
const { batch_id } = await platen.batches.create({
  items: numbers.map((number) => ({ template: template.id, data: { number, total: 10 } })),
});
const batch = await platen.batches.wait(batch_id);
console.log(`The batch has ${batch.completed} PDFs and ${batch.failed} failures`);

const ids = [];
for await (const pdf of platen.generations.list({ batch_id, status: 'completed' })) {
  ids[pdf.index] = pdf.id;
  await pdf.save(`invoice-${numbers[pdf.index]}.pdf`);
}

// 4. Operations on PDFs, by their ids
const merged = await platen.pdf('merge', { pdfs: ids });
await merged.save('invoices.pdf');
const { pages } = await platen.pdf('info', { pdf: merged.id });
console.log(`invoices.pdf has ${pages} pages`);

await platen.templates.delete(template.id);
