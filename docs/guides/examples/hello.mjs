// Makes hello.pdf: node hello.mjs
import { Platen } from '@platen/client';

const platen = new Platen(); // reads PLATEN_URL and PLATEN_API_KEY
const pdf = await platen.generate({ html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } });
await pdf.save('hello.pdf');
console.log('Saved hello.pdf');
