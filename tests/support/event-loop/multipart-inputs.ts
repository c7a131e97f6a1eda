import { documentedOperations } from '../pdf/operation-requests.ts';
import { pagesPdf } from '../pdf/samples.ts';
import { json, keys, MB, type WorstInput } from './inputs.ts';
import { boundary, contentType, field, file, form, part } from './multipart-form.ts';

const route = 'POST /v1/pdf/merge';

/**
 * The multipart bodies that, as far as is known, cost the most to parse. All routes share the parser, so
 * other operations get only one of them.
 */
const bodies: Omit<WorstInput, 'route'>[] = [
  { name: '30 MB of line breaks and dashes', body: () => form(file('\r\n--'.repeat(7 * MB))) },
  {
    name: '30 MB of beginnings of the boundary',
    body: () => form(file(`\r\n--${'a'.repeat(69)}c`.repeat(MB / 3))),
  },
  { name: '30 MB of spaces after the boundary', body: () => `--${boundary}${' '.repeat(30 * MB)}` },
  {
    name: '1,000 parts of 8 KB of headers',
    body: () =>
      form(part(`Content-Disposition: form-data; name="pdfs"${'; x=y'.repeat(1_500)}`, 'x').repeat(999)),
  },
  {
    name: '1,000 parts with 8 KB of names',
    body: () =>
      form(
        part(
          `Content-Disposition: form-data; name="pdfs"; ${Array.from({ length: 900 }, (_, index) => `x${index}=y`).join('; ')}`,
          'x',
        ).repeat(999),
      ),
  },
  { name: '500 files of a page', body: () => form(...Array.from({ length: 500 }, () => file(pagesPdf(1)))) },
  {
    name: 'a request of 30 MB of brackets',
    body: () => form(part('Content-Disposition: form-data; name="request"', '['.repeat(30 * MB))),
  },
  {
    name: 'base64 of 27 MB in a text part',
    body: () => form(part('Content-Disposition: form-data; name="pdfs"', 'A'.repeat(27 * MB))),
  },
];

const otherOperations: WorstInput[] = documentedOperations()
  .map(({ name }) => `POST /v1/pdf/${name}`)
  .filter((other) => other !== route)
  .map((other) => ({
    route: other,
    name: '30 MB of line breaks and dashes',
    body: () => form(file('\r\n--'.repeat(7 * MB), 'pdf')),
  }));

const uploads: WorstInput[] = [
  { name: '30 MB of line breaks and dashes', body: () => form(file('\r\n--'.repeat(7 * MB), 'file')) },
  { name: 'a file of 2,000 pages', body: () => form(file(pagesPdf(2_000), 'file')) },
  {
    name: 'metadata of 400,000 keys',
    body: () => form(file(pagesPdf(1), 'file'), field('metadata', json(keys(400_000)))),
  },
  {
    name: 'a reference of 30 MB',
    body: () => form(file(pagesPdf(1), 'file'), field('reference', 'x'.repeat(30 * MB))),
  },
].map((input) => ({ route: 'POST /v1/files', ...input }));

const assets: WorstInput[] = [
  {
    route: 'POST /v1/certificates',
    name: '1.5 MB of line breaks and dashes',
    body: () => form(file('\r\n--'.repeat(0.37 * MB), 'file')),
  },
  {
    route: 'POST /v1/assets',
    name: '30 MB of line breaks and dashes',
    body: () => form(file('\r\n--'.repeat(7 * MB), 'file')),
  },
  {
    route: 'POST /v1/assets',
    name: 'a style sheet of 4.9 MB of brackets',
    body: () => form(file('{'.repeat(4.9 * MB), 'file'), field('name', 'a.css')),
  },
];

const images: WorstInput[] = [
  {
    route: 'POST /v1/images',
    name: 'data of 400,000 keys',
    body: () => form(field('html', '{{x}}'), field('data', json(keys(400_000)))),
  },
];

const documents: WorstInput[] = [
  { name: 'html of 29 MB', benchOnly: true, body: () => form(field('html', 'word '.repeat(5.8 * MB))) },
  {
    name: 'data of 400,000 keys',
    body: () => form(field('html', '{{x}}'), field('data', json(keys(400_000)))),
  },
].map((input) => ({ route: 'POST /v1/generate', ...input }));

/** The worst known multipart bodies of every route that takes them. */
export const multipartInputs: WorstInput[] = [
  ...bodies.map((input) => ({ route, ...input })),
  ...otherOperations,
  ...uploads,
  ...assets,
  ...images,
  ...documents,
].map((input) => ({ ...input, contentType, name: `multipart: ${input.name}` }));
