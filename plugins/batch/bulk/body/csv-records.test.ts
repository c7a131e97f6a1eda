import { describe, expect, test } from 'bun:test';
import { CsvReader, type CsvRecord } from './csv-records.ts';

function read(text: string, pieceLength = text.length): CsvRecord[] {
  const reader = new CsvReader({ separator: ',', maxCharacters: 20 });
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += pieceLength)
    records.push(...reader.read(text.slice(at, at + pieceLength)));
  return [...records, ...reader.end()];
}

const fieldsOf = (text: string) => read(text).map(({ fields }) => fields);

describe('CsvReader', () => {
  test('reads quoted fields, quotes, line breaks in fields, empty fields and the last line', () => {
    expect(fieldsOf('a,b\r\n"x, ""y""\n",\n\n5" pipe,z')).toEqual([
      ['a', 'b'],
      ['x, "y"\n', ''],
      ['5" pipe', 'z'],
    ]);
    expect(fieldsOf('a\rb\r')).toEqual([['a'], ['b']]);
    expect(fieldsOf('""\n,')).toEqual([[''], ['', '']]);
    expect(fieldsOf('')).toEqual([]);
  });

  test('counts lines as an editor does, and goes on after a fault', () => {
    const text = 'a,b\n"1\r\n2",x\n"c"d,e\n\n0123456789,0123456789\nf,g\n"open,\nh';
    expect(read(text)).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['1\r\n2', 'x'] },
      { line: 4, fields: [], fault: 'has text after a closing quote' },
      { line: 6, fields: [], fault: 'has more than 20 characters' },
      { line: 7, fields: ['f', 'g'] },
      { line: 8, fields: [], fault: 'has a quote that is not closed' },
    ]);
  });

  test('reads the same from pieces of any length', () => {
    const text = 'a,"b ""c"""\r\n"1\r\n2",""\r\n"x"y,\nlast,"one"';
    const whole = read(text);
    expect(whole.length).toBe(4);
    for (let length = 1; length < text.length; length += 1) expect(read(text, length)).toEqual(whole);
  });
});
