import { describe, expect, test } from 'bun:test';
import { TemplateCache } from './cache.ts';

/** Makes a cache whose compiler records the first letter of each compiled source. */
function watched(): { compiled: string[]; use: (letter: string, characters?: number) => unknown } {
  const compiled: string[] = [];
  const cache = new TemplateCache((source) => {
    compiled.push(source.charAt(0));
    if (source.startsWith('!')) throw new Error('does not parse');
    return { main: source.charAt(0) };
  });
  return { compiled, use: (letter, characters = 100) => cache.get(letter.padEnd(characters, '.')) };
}

/** Four templates of this size fill the cache. */
const QUARTER = 190_000;

describe('the cache of compiled templates', () => {
  test('compiles a template once', () => {
    const { compiled, use } = watched();
    for (const letter of ['a', 'b', 'a', 'b', 'a']) expect(use(letter)).toEqual({ main: letter });
    expect(compiled).toEqual(['a', 'b']);
  });

  test('evicts the least recently used template when it is full', () => {
    const { compiled, use } = watched();
    for (const letter of ['a', 'b', 'c', 'd', 'a', 'e']) use(letter, QUARTER);
    expect(compiled.splice(0)).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const letter of ['c', 'd', 'a', 'e']) use(letter, QUARTER);
    expect(compiled).toEqual([]);
    use('b', QUARTER);
    use('c', QUARTER);
    expect(compiled).toEqual(['b', 'c']);
  });

  test('limits the number of small templates', () => {
    const { compiled, use } = watched();
    for (let index = 0; index < 3_000; index += 1) use(`a${index}`);
    use('a2999');
    expect(compiled.length).toBe(3_000);
    use('a0');
    expect(compiled.length).toBe(3_001);
  });

  test('does not cache templates that fail to compile', () => {
    const { compiled, use } = watched();
    for (let time = 0; time < 2; time += 1) expect(() => use('!')).toThrow('does not parse');
    expect(compiled).toEqual(['!', '!']);
  });

  test.each([200_000, 850_000, 2_000_000])(
    'a template of %d characters is not cached and evicts no others',
    (characters) => {
      const { compiled, use } = watched();
      for (const letter of ['a', 'b', 'c', 'L', 'L', 'a', 'b', 'c'])
        expect(use(letter, letter === 'L' ? characters : QUARTER)).toEqual({ main: letter });
      expect(compiled).toEqual(['a', 'b', 'c', 'L', 'L']);
    },
  );
});
