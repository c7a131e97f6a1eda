import { expect, test } from 'bun:test';
import type { Boldness, CharacterLine } from './characters.ts';
import { markdownLines, writeMarkdown } from './markdown.ts';

interface LineOptions {
  size?: number;
  boldness?: Boldness;
}

/** Makes lines of text, one below the other, each a paragraph of its own. */
function pageOf(lines: readonly (readonly [text: string, options?: LineOptions | undefined])[]) {
  return markdownLines(
    lines.map(([text, options], row): CharacterLine => {
      const { size = 10, boldness = 'regular' }: LineOptions = options ?? {};
      return {
        characters: Array.from(text, (character, column) => ({
          text: character,
          box: { x: 50 + column * size * 0.5, y: 800 - row * 40, width: size * 0.5, height: size },
        })),
        boldness,
        isDivided: false,
      };
    }),
  );
}

const body = 'The body of the document is longer than all of its headings and notes together.';

test('a line in bold is bold if most of the text is not', () => {
  const [text] = writeMarkdown([pageOf([[body], ['Note', { boldness: 'bold' }], [body]])]);
  expect(text).toBe(`${body}\n\n**Note**\n\n${body}`);
});

test.each(['heavy', 'bold'] as const)('text is not bold if most of the text is %s', (boldness) => {
  const [text] = writeMarkdown([pageOf([[body, { boldness }], ['Note'], [body, { boldness }]])]);
  expect(text).toBe(`${body}\n\nNote\n\n${body}`);
});

test('bold text stays bold among heavy text', () => {
  const [text] = writeMarkdown([
    pageOf([
      [body, { boldness: 'heavy' }],
      ['Note', { boldness: 'bold' }],
    ]),
  ]);
  expect(text).toBe(`${body}\n\n**Note**`);
});

test('large list items and addresses are not headings', () => {
  const large = { size: 14 };
  const [text] = writeMarkdown([
    pageOf([['Title', large], ['• First', large], ['ann@example.com', large], [body], [body]]),
  ]);
  expect(text).toBe(`# Title\n\n- First\n\nann@example.com\n\n${body}\n\n${body}`);
});

test('on a page with mostly large lines, only the largest are headings', () => {
  const cover: [text: string, options: LineOptions][] = [
    ['Annual report', { size: 30 }],
    ...Array.from({ length: 9 }, (_, index): [string, LineOptions] => [`Author ${index}`, { size: 16 }]),
  ];
  const [first, second] = writeMarkdown([
    pageOf(cover),
    pageOf([['Results', { size: 16 }], [body], [body], [body]]),
  ]);
  expect(first).toStartWith('# Annual report\n\nAuthor 0');
  expect(first?.match(/^#/gm)).toHaveLength(1);
  expect(second).toStartWith('## Results\n\n');
});
