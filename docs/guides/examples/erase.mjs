// Deletes the PDFs with a reference: node erase.mjs customer-4711
import { Platen } from '@platen/client';

const platen = new Platen();
const [, , reference = ''] = process.argv;
if (!reference) throw new Error('Name a reference: node erase.mjs customer-4711');
for (const records of [platen.generations, platen.files])
  for await (const { id } of records.list({ reference })) {
    await records.delete(id);
    console.log(`deleted ${id}`);
  }
