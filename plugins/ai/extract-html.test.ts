import { expect, test } from 'bun:test';
import { extractHtml } from './extract-html.ts';

const PAGE = '<html><body>x</body></html>';

test.each([
  ['a document alone', PAGE, PAGE],
  ['text around it', `Here it is:\n${PAGE}\nBye.`, PAGE],
  ['a fence', `\`\`\`html\n${PAGE}\n\`\`\`\nThe <html> above …`, PAGE],
  ['an indented fence of tildes', `  ~~~~\n${PAGE}\n  ~~~~`, PAGE],
  ['a fence that contains a shorter fence', `\`\`\`\`\n\`\`\`\n${PAGE}\n\`\`\`\n\`\`\`\``, PAGE],
  [
    'a fence without a document before one with a document',
    `\`\`\`\nnpm i\n\`\`\`\n\`\`\`\n${PAGE}\n\`\`\``,
    PAGE,
  ],
  ['an empty fence before one with a document', `\`\`\`\n\`\`\`\n\`\`\`\n${PAGE}\n\`\`\``, PAGE],
  ['a fence that is not closed', `\`\`\`\n${PAGE}`, PAGE],
  ['no document', 'I cannot do that.', ''],
])('finds the document in an answer with %s', (_name, answer, html) => {
  expect(extractHtml(answer)).toBe(html);
});

test.each(['`', '~', '```\n', '\n', ' ', '```a\n~~~b\n', '<html', '<!doctype ', '</think'])(
  'reads megabytes of %p in one pass',
  (piece) => {
    expect(extractHtml(piece.repeat(4_000_000 / piece.length))).not.toContain('</html>');
  },
);
