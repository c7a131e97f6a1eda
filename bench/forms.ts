/**
 * Measures forms of 200 fields over HTTP: adding fields, filling them with Latin text and with text in all
 * scripts (a different text in each field), flattening and listing: `npm run bench:forms [rounds]`.
 */
import { pagesPdf } from '../tests/support/pdf/samples.ts';
import { TestService } from '../tests/support/service/service.ts';

const FIELDS = 200;
const COLUMNS = 2;
const ROWS = 10;
const ROUNDS = Number(process.argv[2] ?? 15);

const SCRIPTS = [
  'Żółć',
  'Ξεσκεπάζω',
  'Съешь ещё',
  'السلام عليكم',
  'שלום עולם',
  'श्रीमान् हिन्दी',
  'ที่นี่ กตัญญู',
  '汉字書體',
  'ひらがな漢字',
  '안녕하세요',
  '👩‍🚀 🇫🇷',
  'Ada مرحبا 王',
];

const perPage = COLUMNS * ROWS;
const blank = Buffer.from(pagesPdf(FIELDS / perPage), 'latin1').toString('base64');
const definitions = Array.from({ length: FIELDS }, (_, index) => ({
  name: `field.${index}`,
  type: 'text',
  page: Math.floor(index / perPage),
  x: 10 + (index % COLUMNS) * 145,
  y: 5 + (Math.floor(index / COLUMNS) % ROWS) * 19,
  width: 135,
  height: 17,
}));
const latin = definitions.map(({ name }, index) => ({ name, value: `Réponse n° ${index}: Größe` }));
const all = definitions.map(({ name }, index) => ({
  name,
  value: `${SCRIPTS[index % SCRIPTS.length]} ${index}`,
}));

await using service = await TestService.start({ env: { LOG_LEVEL: 'silent' } });

async function post(path: string, body: object): Promise<{ data: string; total: number }> {
  const answer = await service.post(`/v1/pdf/forms/${path}`, { output: 'base64', ...body });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.error?.message}`);
  return answer.body;
}

const { data: form } = await post('add-fields', { pdf: blank, fields: definitions });
const rows = [];
for (const [operation, work] of [
  ['add 200 fields', () => post('add-fields', { pdf: blank, fields: definitions })],
  ['list', () => service.post('/v1/pdf/forms/list-fields', { pdf: form })],
  ['fill, Latin', () => post('fill', { pdf: form, fields: latin })],
  ['fill, Latin, flatten', () => post('fill', { pdf: form, fields: latin, flatten: true })],
  ['fill, all scripts', () => post('fill', { pdf: form, fields: all })],
  ['fill, all scripts, flatten', () => post('fill', { pdf: form, fields: all, flatten: true })],
] as const) {
  await work();
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    tookMs.push(performance.now() - begun);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => Math.round(tookMs[Math.floor((tookMs.length - 1) * share)] ?? Number.NaN);
  rows.push({ operation, 'min ms': at(0), 'median ms': at(0.5), 'max ms': at(1) });
}
console.log(`Forms of ${FIELDS} fields over HTTP, ${ROUNDS} rounds:`);
console.table(rows);
