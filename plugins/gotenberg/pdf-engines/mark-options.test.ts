import { expect, test } from 'bun:test';
import { readMarkOptions } from './mark-options.ts';

const read = (options: Record<string, string>) => readMarkOptions('stampOptions', options);
const fault = (options: Record<string, string>) => {
  try {
    read(options);
    return 'valid';
  } catch (error) {
    return (error as Error).message;
  }
};

test('options have the defaults of pdfcpu', () => {
  expect(read({})).toEqual({
    points: 24,
    position: 'center',
    offset: { x: 0, y: 0 },
    scale: { factor: 0.5, isAbsolute: false },
    rotation: 'diagonal-up',
    opacity: 1,
    color: '#808080',
  });
});

test.each([
  [{ rot: '-45' }, { rotation: -45 }],
  [{ d: '2' }, { rotation: 'diagonal-down' }],
  [{ sc: '0.5 abs' }, { scale: { factor: 0.5, isAbsolute: true } }],
  [{ scale: '.25' }, { scale: { factor: 0.25, isAbsolute: false } }],
  [{ pos: 'tl' }, { position: 'top-left' }],
  [{ position: 'bottom-center' }, { position: 'bottom' }],
  [{ off: '10 -20' }, { offset: { x: 10, y: -20 } }],
  [{ op: '.3' }, { opacity: 0.3 }],
  [{ fillc: '1 0 0.5' }, { color: '#ff0080' }],
  [{ color: '#0A0B0C' }, { color: '#0a0b0c' }],
  [{ fillcolor: 'Red' }, { color: '#ff0000' }],
  [{ poi: '48' }, { points: 48 }],
  [{ font: 'Times-Roman', strokecolor: '#000000', rendermode: '0' }, {}],
])('%p', (options, expected) => {
  expect(read(options as unknown as Record<string, string>)).toMatchObject(expected);
});

test.each([
  [{ foo: '1' }, /unknown option 'foo'/],
  [{ constructor: '1' }, /unknown option 'constructor'/],
  [{ color: 'constructor' }, /an invalid color/],
  [{ r: '1' }, /ambiguous option 'r'/],
  [{ '': '1' }, /unknown option ''/],
  [{ rot: 'x' }, /an invalid rotation: it must be a number from -180 to 180/],
  [{ rot: '1', d: '1' }, /rotation and diagonal/],
  [{ sc: '2' }, /an invalid scalefactor: it must be a number from 0\.001 to 1/],
  [{ pos: 'x' }, /an invalid position: it must be one of tl, tc/],
  [{ off: '1' }, /an invalid offset/],
  [{ fillc: '#ff' }, /an invalid fillcolor: it must be such as #FF0000 or 1 0 0/],
  [{ bgcol: '#ffffff' }, /Platen does not draw the option 'bgcolor'/],
])('%p is invalid', (options, expected) => {
  expect(fault(options as unknown as Record<string, string>)).toMatch(expected);
});
