import { pagesPdf } from '../../api/pdf-samples.ts';
import { MB, type WorstInput } from './inputs.ts';

const BOUNDARY = `${'a'.repeat(69)}b`;
const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (headers: string, content: string) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
const file = (content: string) =>
  part('Content-Disposition: form-data; name="pdfs"; filename="a.pdf"', content);
const form = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;
const route = 'POST /v1/pdf/merge';

/** Multipart bodies that cost as much to parse as any known. All routes share the parser. */
export const multipartInputs: WorstInput[] = [
  { name: '30 MB of line breaks and dashes', body: () => form(file('\r\n--'.repeat(7 * MB))) },
  {
    name: '30 MB of beginnings of the boundary',
    body: () => form(file(`\r\n--${'a'.repeat(69)}c`.repeat(MB / 3))),
  },
  { name: '30 MB of spaces after the boundary', body: () => `--${BOUNDARY}${' '.repeat(30 * MB)}` },
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
].map((input) => ({ route, contentType, ...input, name: `multipart: ${input.name}` }));
