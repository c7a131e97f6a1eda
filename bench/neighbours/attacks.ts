import { hostilePdfs, plainPdf } from '../../tests/support/pdf/samples.ts';
import { largePdf } from '../../tests/support/service/memory-bombs.ts';

export interface AttackRequest {
  path: string;
  /** JSON. */
  body: Uint8Array<ArrayBuffer>;
}

/** One way to slow down the other accounts of a service. */
export interface Attack {
  number: number;
  name: string;
  /** Creates the requests that are sent once, at the start. `site` is the origin of the slow assets. */
  opening?: (site: string) => AttackRequest[];
  /** Creates the requests that are repeated in turn for the rest of the attack. */
  requests: (site: string) => AttackRequest[];
  /** True if accepted work remains after the attack, as with batches. */
  leavesWork?: boolean;
}

function post(path: string, body: object): AttackRequest {
  return { path, body: new TextEncoder().encode(JSON.stringify(body)) };
}

const generate = (body: object) => post('/v1/generate', body);
const page = (html: string) => generate({ html });
const script = (source: string) => page(`<p>text</p><script>${source}</script>`);

const SPACES = 99_900;
const slowHeader = `<p>url(${' '.repeat(SPACES)}data:</p>`;
const slowHeaderTemplate = '<p>url({{#each (range 1 200)}}{{padStart "" 1000}}{{/each}}data:</p>';
const endless = '<p>text</p><script>while(1);</script>';

/** A PDF of 1.1 MB whose page tree lists its only page 200,000 times. */
function repeatedPagePdf(): string {
  const times = 200_000;
  return plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${times}/Kids[${'3 0 R '.repeat(times)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
  ]);
}

const base64 = (pdf: string | Buffer) => Buffer.from(pdf as string, 'latin1').toString('base64');

function pdfBombs(): AttackRequest[] {
  const bombs = [
    hostilePdfs.flateBombInContent,
    hostilePdfs.flateBombInObjectStream,
    hostilePdfs.pageTreeLoop,
    hostilePdfs.hugeCount,
    repeatedPagePdf,
  ];
  return bombs.flatMap((make) => {
    const pdf = base64(make());
    return [
      post('/v1/pdf/info', { pdf }),
      post('/v1/pdf/merge', { pdfs: [pdf, pdf] }),
      post('/v1/pdf/split', { pdf }),
      post('/v1/pdf/pdfa', { pdf }),
      post('/v1/pdf/forms/list-fields', { pdf }),
      post('/v1/pdf/forms/fill', { pdf, fields: [{ name: 'x', value: 'y' }] }),
    ];
  });
}

const LARGE_CHARACTERS = 29_900_000;

function largeBodies(): AttackRequest[] {
  const paragraph = '<p>Lorem ipsum dolor sit amet</p>';
  const keys = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`key${index}`, index]));
  return [
    page(paragraph.repeat(LARGE_CHARACTERS / paragraph.length)),
    generate({ html: '<p>{{length text}}</p>', data: { text: 'x'.repeat(LARGE_CHARACTERS) } }),
    generate({ html: '<p>{{#each this}}{{this}}{{/each}}</p>', data: keys }),
  ];
}

/** Doubles a text at each level. */
const doubling = (levels: number) =>
  `${'{{#with (concat this this)}}'.repeat(levels)}{{length this}}${'{{/with}}'.repeat(levels)}`;

/** The attacks that a service has to withstand, with the numbers for `--only`. */
export const attacks: readonly Attack[] = [
  {
    number: 1,
    name: 'header that is slow to check',
    requests: () => [
      generate({ html: '<p>text</p>', options: { header: slowHeader } }),
      generate({ html: '<p>text</p>', data: {}, options: { header: slowHeaderTemplate } }),
      post('/v1/generate/batch', {
        items: [1, 2].map(() => ({
          html: '<p>text</p>',
          options: { header: slowHeader, footer: slowHeader },
        })),
      }),
    ],
    leavesWork: true,
  },
  {
    number: 2,
    name: 'exceptions of 100 MB',
    requests: () => [
      script('for(let i=0;i<5;i++)setTimeout(()=>{throw "z".repeat(1e8)},0)'),
      script('for(let i=0;i<5;i++)Promise.reject("z".repeat(1e8))'),
    ],
  },
  {
    number: 3,
    name: 'deep template paths, long page lists',
    opening: () => {
      const pdf = base64(repeatedPagePdf());
      return Array.from({ length: 6 }, () => post('/v1/pdf/pdfa', { pdf }));
    },
    requests: () => [
      post('/v1/templates', { name: 'deep', html_content: `{{${'a.'.repeat(5000)}a}}`, schema: {} }),
    ],
  },
  { number: 4, name: 'while(1)', requests: () => [page(endless)] },
  {
    number: 5,
    name: 'memory bombs',
    requests: () => [
      script('const held=[];for(;;)held.push(new Array(1e6).fill(Math.random()))'),
      script('const held=[];for(;;)held.push(new Uint8Array(1e8).fill(1))'),
      page(largePdf(400)),
      generate({
        html: '{{#each (range 1 10000)}}{{#each (range 1 10000)}}{{padStart "" 1000}}{{/each}}{{/each}}',
        data: {},
      }),
      generate({ html: `{{#with (padStart "" 1000)}}${doubling(14)}{{/with}}`, data: {} }),
    ],
  },
  { number: 6, name: '30 MB bodies', requests: largeBodies },
  {
    number: 7,
    name: 'batches of 100 while(1)',
    requests: () => [
      post('/v1/generate/batch', { items: Array.from({ length: 100 }, () => ({ html: endless })) }),
    ],
    leavesWork: true,
  },
  { number: 8, name: 'PDF bombs', requests: pdfBombs },
  {
    number: 9,
    name: '500-page documents',
    requests: () => {
      const pages = Array.from(
        { length: 500 },
        (_, index) => `<p style="break-after:page">Page ${index + 1}</p>`,
      ).join('');
      return [page(pages), script(`document.body.innerHTML=${JSON.stringify(pages)}`)];
    },
  },
  {
    number: 10,
    name: 'slow assets, console floods',
    requests: (site) => [
      page(Array.from({ length: 20 }, (_, index) => `<img src="${site}/${index}.png">`).join('')),
      page(`<link rel="stylesheet" href="${site}/style.css"><p>text</p>`),
      script('for(;;)console.log(1)'),
    ],
  },
];

/** Finds an attack by its number. @throws {Error} for an unknown number. */
export function findAttack(number: number): Attack {
  const attack = attacks.find((each) => each.number === number);
  if (!attack) throw new Error(`no attack ${number}; there are 1 to ${attacks.length}`);
  return attack;
}
