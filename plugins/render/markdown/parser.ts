import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Match the rest of a host after `www.`, and a path. The length of the host is limited, because it is read
 * again for each `www.` in it.
 */
const HOST = /[a-z\d_.-]{1,250}/iy;
const PATH = /[:/?#][^\s<]*/y;

/** Characters that end the sentence around a link rather than the link. */
const PUNCTUATION = new Set('?!.,:*_~\'")');

const LONG_CHARACTERS = 25;
const LONG_WORD = /\S{25,}/g;

const MAX_SLUG_CHARACTERS = 200;

/**
 * Parses GitHub-flavoured Markdown (https://github.github.com/gfm/), with raw HTML, and with ids on headings
 * as on GitHub. The time is linear in the length of the input.
 */
export const parser = new MarkdownIt({ html: true, linkify: true });

// Raw HTML may contain any URL. Unsafe links are removed from every PDF.
parser.validateLink = () => true;

// GFM links `www.example.com`, but not `example.com`.
parser.linkify.set({ fuzzyLink: false });
parser.linkify.add('www.', {
  validate(text, position) {
    const host = matchAt(HOST, text, position);
    if (!/[^.]\.[^.]/.test(host)) return 0;
    const link = host + matchAt(PATH, text, position + host.length);
    let { length } = link;
    while (length > 0 && PUNCTUATION.has(link[length - 1] ?? '')) length -= 1;
    return length;
  },
  normalize(match) {
    match.url = `http://${match.url}`;
  },
});

parser.core.ruler.after('inline', 'task lists', ({ tokens }) => {
  for (const [index, item] of tokens.entries()) {
    if (item.type !== 'list_item_open') continue;
    const inline = tokens[index + 2];
    const text = inline?.children?.[0];
    const box =
      inline?.type === 'inline' && text?.type === 'text' ? /^\[([ x])\]\s/i.exec(text.content) : null;
    if (!inline?.children || !text || !box) continue;
    item.attrJoin('class', 'task');
    text.content = text.content.slice(box[0].length);
    const input = `<input type="checkbox" disabled${box[1] === ' ' ? '' : ' checked'}>`;
    inline.children.unshift(html(input, text));
  }
});

parser.core.ruler.push('heading ids', ({ tokens }) => {
  const counts = new Map<string, number>();
  for (const [index, heading] of tokens.entries()) {
    if (heading.type !== 'heading_open') continue;
    const slug = slugOf(textOf(tokens[index + 1]));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    heading.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  }
});

// Only long words and code may break anywhere. Otherwise the narrow columns of a wide table would break short
// words.
parser.renderer.rules['text'] = (tokens, index) => {
  const text = parser.utils.escapeHtml(tokens[index]?.content ?? '');
  return text.replaceAll(LONG_WORD, '<span class="long">$&</span>');
};
const renderCode = parser.renderer.rules['code_inline'];
parser.renderer.rules['code_inline'] = (tokens, index, ...rest) => {
  const code = tokens[index];
  if (code && code.content.length >= LONG_CHARACTERS) code.attrJoin('class', 'long');
  return renderCode?.(tokens, index, ...rest) ?? '';
};

/** Returns the text of a heading or paragraph without its markup. */
export function textOf(inline: Token | undefined): string {
  const texts = inline?.children?.map(({ type, content }) =>
    type === 'text' || type === 'code_inline' ? content : '',
  );
  return texts?.join('') ?? '';
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}

/** Creates a token of raw HTML, of the same class as another token. */
function html(content: string, { constructor }: Token): Token {
  const token = Reflect.construct(constructor, ['html_inline', '', 0]) as Token;
  token.content = content;
  return token;
}

/** Returns the id that GitHub gives to a heading. */
function slugOf(text: string): string {
  return text
    .slice(0, MAX_SLUG_CHARACTERS)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
