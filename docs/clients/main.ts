// Uses a client that @hey-api/openapi-ts has generated into the folder `platen`.
import {
  createTemplate,
  generatePdf,
  getGeneration,
  getTemplate,
  listGenerations,
  type GenerationCompletedEvent,
} from './platen';
import { client } from './platen/client.gen';

const { PLATEN_URL = '', PLATEN_API_KEY = '', WEBHOOK_MESSAGE = '' } = process.env;
client.setConfig({ baseUrl: PLATEN_URL, auth: PLATEN_API_KEY });

const { data: template } = await createTemplate({
  body: { name: 'Greeting', html_content: '<h1>Hello {{name}}</h1>', options: { margin: 20 } },
  throwOnError: true,
});
const { data: stored } = await getTemplate({ path: { id: template.id }, throwOnError: true });
console.log(`created ${stored.id} with margin ${stored.options?.margin}`);

const { data: made } = await generatePdf({
  body: { template: template.id, data: { name: 'Ada' }, options: { format: 'A5', margin: '1cm' } },
  throwOnError: true,
});
console.log(`generated ${made.id} with ${made.pages} page`);

const { data: generation } = await getGeneration({
  path: { id: made.id },
  query: { receipt: true },
  throwOnError: true,
});
console.log(`read ${generation.id}: ${generation.status}, ${generation.receipt?.class}`);

const { data: list } = await listGenerations({ query: { include: 'total' }, throwOnError: true });
console.log(`listed ${list.total}: ${list.data.map(({ id }) => id).join()}`);

const { error, response } = await generatePdf({
  body: { html: '<h1>Hello</h1>', options: { margin: '10 parsecs' } },
});
console.log(`${response?.status} ${error?.error.code}: ${error?.error.details[0]?.path}`);

const event: GenerationCompletedEvent = JSON.parse(WEBHOOK_MESSAGE);
console.log(`received ${event.type}: ${event.data.reference}`);
