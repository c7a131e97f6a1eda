import { syntaxSamples } from './rule-sample.ts';

const first = (from: string | RegExp, to: string) => (text: string, number: number) =>
  number === 1 ? text.replace(from, () => to) : text;
const withId = (id: string) => (text: string) =>
  text.replace('/ID', '/Odd').replace('<<', () => `<</ID${id}`);
const streams = (from: string | RegExp, to: string) => (text: string) =>
  text.includes('stream') ? text.replace(from, () => to) : text;

/**
 * Files with other syntax: header, objects, streams, strings, cross-reference table, trailer and end (ISO
 * 19005-2 6.1.2 to 6.1.9).
 */
export const SYNTAX_SAMPLES = syntaxSamples({
  'the same syntax': [true, {}],
  'header 1.7': [true, { header: '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'header 1.8': ['1b', { header: '%PDF-1.8\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'header 2.0': ['1b', { header: '%PDF-2.0\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'header with text after the version': ['1b', { header: '%PDF-1.4 x\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'header after a byte': [false, { header: ' %PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'header with CR': [true, { header: '%PDF-1.4\r%\u00e2\u00e3\u00cf\u00d3\r' }],
  'header with CRLF': [true, { header: '%PDF-1.4\r\n%\u00e2\u00e3\u00cf\u00d3\r\n' }],
  'no comment after the header': [false, { header: '%PDF-1.4\n' }],
  'an ASCII comment after the header': [false, { header: '%PDF-1.4\n%abcd\n' }],
  'a comment of three bytes above 127': [false, { header: '%PDF-1.4\n%\u00e2\u00e3\u00cfx\n' }],
  'a comment of three bytes': [false, { header: '%PDF-1.4\n%\u00e2\u00e3\u00cf\n' }],
  'a comment of five bytes above 127': [true, { header: '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\u00d4\n' }],
  'a blank line before the comment': [false, { header: '%PDF-1.4\n\n%\u00e2\u00e3\u00cf\u00d3\n' }],
  'a second comment': [true, { header: '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n% more\n' }],

  'two spaces after an object number': [false, { object: first('1 0 obj', '1  0 obj') }],
  'two spaces after a generation number': [false, { object: first('1 0 obj', '1 0  obj') }],
  'a tab after an object number': [true, { object: first('1 0 obj', '1\t0 obj') }],
  'a tab after a generation number': [true, { object: first('1 0 obj', '1 0\tobj') }],
  'a line end after an object number': [true, { object: first('1 0 obj', '1\n0 obj') }],
  'no line end after obj': [false, { object: first('1 0 obj\n', '1 0 obj') }],
  'a space after obj': [false, { object: first('1 0 obj\n', '1 0 obj \n') }],
  'CR after obj': [true, { object: first('1 0 obj\n', '1 0 obj\r') }],
  'CRLF after obj': [true, { object: first('1 0 obj\n', '1 0 obj\r\n') }],
  'a comment after obj': [false, { object: first('1 0 obj\n', '1 0 obj% x\n') }],
  'a space before endobj': [false, { object: first('\nendobj', '\n endobj') }],
  'no line end before endobj': [false, { object: first('\nendobj', ' endobj') }],
  'endobj directly after the object': [false, { object: first('\nendobj', 'endobj') }],
  'a space after endobj': [false, { object: first('endobj\n', 'endobj \n') }],
  'no line end after endobj': [false, { object: first('endobj\n', 'endobj ') }],
  'CR before and after endobj': [true, { object: first('\nendobj\n', '\rendobj\r') }],
  'CRLF before and after endobj': [true, { object: first('\nendobj\n', '\r\nendobj\r\n') }],
  'a comment after endobj': [false, { object: first('endobj\n', 'endobj% x\n') }],
  'a comment before endobj': [false, { object: first('\nendobj\n', ' % x\nendobj\n') }],
  'blank lines between objects': [true, { object: first('endobj\n', 'endobj\n\n\n') }],
  'a comment between objects': [true, { object: first('endobj\n', 'endobj\n% comment\n') }],
  'a space before an object number': [
    false,
    { object: (text, number) => (number === 2 ? ` ${text}` : text) },
  ],
  'leading zeros of an object number': [true, { object: first('1 0 obj', '001 0 obj') }],

  'CR after stream': [false, { object: streams('stream\n', 'stream\r') }],
  'CRLF after stream': [true, { object: streams('stream\n', 'stream\r\n') }],
  'a space after stream': [false, { object: streams('stream\n', 'stream \n') }],
  'a space before stream': [true, { object: streams('>>\nstream', '>> stream') }],
  'stream directly after the dictionary': [true, { object: streams('>>\nstream', '>>stream') }],
  'CRLF before endstream': [true, { object: streams('\nendstream', '\r\nendstream') }],
  'CR before endstream': [true, { object: streams('\nendstream', '\rendstream') }],
  'no line end before endstream': [false, { object: streams('\nendstream', 'endstream') }],
  'a space before endstream': [false, { object: streams('\nendstream', ' endstream') }],
  'two line ends before endstream': [false, { object: streams('\nendstream', '\n\nendstream') }],
  'a line end and a space before endstream': [false, { object: streams('\nendstream', '\n endstream') }],
  'endobj directly after endstream': [false, { object: streams('endstream\nendobj', 'endstream endobj') }],
  'a space after endstream': [true, { object: streams('endstream\n', 'endstream \n') }],
  'a stream without Length': [false, { object: streams(/\/Length \d+/, '') }],
  'a Length of one byte too few': [
    false,
    { object: (text) => text.replace(/\/Length (\d+)/, (_, size: string) => `/Length ${Number(size) - 1}`) },
  ],
  'a Length of one byte too many': [
    false,
    { object: (text) => text.replace(/\/Length (\d+)/, (_, size: string) => `/Length ${Number(size) + 1}`) },
  ],
  'a Length that is a real': [
    true,
    { object: (text) => text.replace(/\/Length (\d+)/, (_, size: string) => `/Length ${size}.0`) },
  ],

  'a hexadecimal string': [true, { object: first('<<', '<</Odd <4142>') }],
  'a hexadecimal string with white space': [true, { object: first('<<', '<</Odd <41 4\n2>') }],
  'an empty hexadecimal string': [true, { object: first('<<', '<</Odd <>') }],
  'a hexadecimal string with an odd number of digits': [false, { object: first('<<', '<</Odd <414>') }],
  'a hexadecimal string with a letter': [false, { object: first('<<', '<</Odd <41G2>') }],
  'a hexadecimal string with two letters': [false, { object: first('<<', '<</Odd <41GH>') }],
  'a hexadecimal string in an array': [false, { object: first('<<', '<</Odd [[<414>]]') }],
  'a hexadecimal string in a literal string': [true, { object: first('<<', '<</Odd (<414>)') }],
  'a hexadecimal string after an escaped parenthesis': [
    false,
    { object: first('<<', '<</Odd [(\\() <414>]') },
  ],
  'a hexadecimal string in a comment': [true, { object: first('<<', '<<% <414>\n') }],

  'two spaces in the header of the table': ['2b', { table: (text) => text.replace('0 ', '0  ') }],
  'a tab in the header of the table': ['2b', { table: (text) => text.replace('0 ', '0\t') }],
  'a space after xref': [false, { table: (text) => text.replace('xref\n', 'xref \n') }],
  'xref and its header on one line': [false, { table: (text) => text.replace('xref\n', 'xref ') }],
  'two line ends after xref': [false, { table: (text) => text.replace('xref\n', 'xref\n\n') }],
  'CR after xref': [true, { table: (text) => text.replace('xref\n', 'xref\r') }],
  'CRLF after xref': [true, { table: (text) => text.replace('xref\n', 'xref\r\n') }],
  'a comment after xref': [false, { table: (text) => text.replace('xref\n', 'xref% x\n') }],
  'a space before the header of the table': [false, { table: (text) => text.replace('xref\n', 'xref\n ') }],
  'a space after the header of the table': [
    true,
    { table: (text) => text.replace(/(xref\n\d+ \d+)\n/, (_, head: string) => `${head} \n`) },
  ],
  'two subsections': [
    true,
    {
      table: (text) => {
        const [, , free = '', ...entries] = text.split('\n');
        return `xref\n0 1\n${free}\n1 ${entries.length - 1}\n${entries.join('\n')}`;
      },
    },
  ],
  'a second subsection with two spaces': [
    '2b',
    {
      table: (text) => {
        const [, , free = '', ...entries] = text.split('\n');
        return `xref\n0 1\n${free}\n1  ${entries.length - 1}\n${entries.join('\n')}`;
      },
    },
  ],
  'entries with CRLF': [true, { table: (text) => text.replaceAll(' \n', '\r\n') }],
  'entries with CR': [true, { table: (text) => text.replaceAll(' \n', ' \r') }],

  'no ID in the trailer': [false, { trailer: (text) => text.replace('/ID', '/Odd') }],
  'an ID of two empty strings': ['1b', { trailer: withId('[()()]') }],
  'an ID of one string': [true, { trailer: withId('[(a)]') }],
  'an empty array as ID': ['1b', { trailer: withId('[]') }],
  'an ID that is a string': [false, { trailer: withId('(a)') }],
  'a trailer with an odd hexadecimal string': [
    false,
    { trailer: (text) => text.replace('<<', '<</Odd<414>') },
  ],
  'trailer and dictionary on one line': [true, { trailer: (text) => text.replace('trailer\n', 'trailer') }],

  'no line end at the end': [true, { end: '%%EOF' }],
  'CRLF at the end': [true, { end: '%%EOF\r\n' }],
  'two line ends at the end': [false, { end: '%%EOF\n\n' }],
  'a space at the end': [false, { end: '%%EOF ' }],
  'a comment at the end': [false, { end: '%%EOF\n%x' }],
  'a null byte at the end': [false, { end: '%%EOF\n\u0000' }],
  'no end-of-file marker': [false, { end: '' }],
  'text before the end-of-file marker': [true, { end: '% comment\n%%EOF\n' }],
});
