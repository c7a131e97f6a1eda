import { describe, expect, test } from 'bun:test';
import { addOption, mergeOptions } from './option-values.ts';

const read = (...texts: string[]) =>
  texts.reduce((options: Record<string, unknown>, text) => addOption(text, options), {});

describe('--option', () => {
  test('reads text, JSON and paths into objects', () => {
    expect(read('format=A4', 'margin.top=20mm', 'margin.left=12', 'strict=true', 'pageRanges="2"')).toEqual({
      format: 'A4',
      margin: { top: '20mm', left: 12 },
      strict: true,
      pageRanges: '2',
    });
    expect(read('header=a=b', 'format={"width":"4in","height":"6in"}', 'title=')).toEqual({
      header: 'a=b',
      format: { width: '4in', height: '6in' },
      title: '',
    });
    expect(read('number=007', 'title=[draft]', 'header={"width"', 'quote="')).toEqual({
      number: '007',
      title: '[draft]',
      header: '{"width"',
      quote: '"',
    });
  });

  test('names what is wrong', () => {
    for (const text of ['format', '=A4', 'margin..top=1', '__proto__.x=1'])
      expect(() => addOption(text)).toThrow('Write it as name=value');
  });

  test('completes the options of a template', () => {
    const stored = { format: 'A5', margin: { top: 1, left: 2 } };
    expect(mergeOptions(stored, { margin: { left: 3 }, scale: 0.5 })).toEqual({
      format: 'A5',
      margin: { top: 1, left: 3 },
      scale: 0.5,
    });
    expect(stored.margin.left).toBe(2);
  });
});
