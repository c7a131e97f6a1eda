import { describe, expect, test } from 'bun:test';
import { AppError } from '../../src/plugin.ts';
import { requireInertMarginal } from './marginals.ts';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** Returns the message of the refusal, or `undefined` when the header is accepted. */
function refusal(html: string): string | undefined {
  try {
    requireInertMarginal('options.header', html);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

describe('a header is accepted', () => {
  test.each([
    'Page <span class="pageNumber"></span>',
    `<p style="background: url(${PIXEL})">`,
    `<p style="background: url( '${PIXEL}' )">`,
    `<p style="background: url(&quot;${PIXEL}&quot;)">`,
    `<p style="list-style: \\75 rl(${PIXEL})">`,
    `<p style='background: image-set("${PIXEL}" type("image/gif") 1x, url(${PIXEL}) 2x)'>`,
    '<svg><rect fill="url(#gradient)"/></svg>',
    '<style>@font-face { font-family: F; src: url("data:font/woff2;base64,AAAA") format("woff2") }</style>',
    '<p>the source (src(a)) of an import: it\'s "quoted" &amp; &#169;</p>',
  ])('%s', (html) => {
    expect(refusal(html)).toBeUndefined();
  });
});

describe('a header with a remote resource is refused', () => {
  test.each([
    '<img src="https://example.com/a.png">',
    '<link rel="stylesheet" href="https://example.com/a.css">',
    '<p style="background: url(https://example.com/a.png)">',
    '<p style="background: URL( \'https://example.com/a.png\' )">',
    '<p style="background: url(a.png)">',
    '<p style="background: url(/**/data:,)">',
    '<p style="background: &#117;rl(https://example.com/a.png)">',
    '<p style="background: u&#x72;l&lpar;&quot;https&colon;//example.com/a.png&quot;)">',
    '<style>p { background: \\75rl(https://example.com/a.png) }</style>',
    '<style>p { background: u\\000072 l(https://example.com/a.png) }</style>',
    '<style>p { background: ur\\l(https://example.com/a.png) }</style>',
    '<p style="background: &#92;75 rl(https://example.com/a.png)">',
    '<style>@import "https://example.com/a.css";</style>',
    '<style>@IMPORT/**/"https://example.com/a.css";</style>',
    '<style>@\\69mport "https://example.com/a.css";</style>',
    '<style>p { background: src("https://example.com/a.png") }</style>',
    "<style>p { background: s\\72 c( 'https://example.com/a.png') }</style>",
    '<style>p { --a: "https://example.com/a.png"; background: src(var(--a)) }</style>',
    '<style>p { background: image-set("https://example.com/a.png" 1x) }</style>',
    `<style>p { background: image-set("${PIXEL}" 1x, "https://example.com/a.png" 2x) }</style>`,
    "<style>p { background: -webkit-image-set(/**/ 'https://example.com/a.png' 1x) }</style>",
    `<style>p { background: image-set(url("${PIXEL}") 1x, url(https://example.com/a.png) 2x) }</style>`,
    '<style>p { --a: "https://example.com/a.png"; background: image-set(var(--a) 1x) }</style>',
    '<svg><rect fill="url(https://example.com/a.svg#g)"/></svg>',
  ])('%s', (html) => {
    expect(refusal(html)).toContain('data: URIs');
  });
});

test('a long header is refused by its length or its number of elements, which the message names', () => {
  expect(refusal(' '.repeat(400_001))).toContain('at most 400000 characters');
  expect(refusal('<b>'.repeat(50_000))).toContain('elements');
});

// Each of these took minutes with a regular expression that begins anew at each character.
test.each([
  ['spaces in url()', `<p>url(${' '.repeat(399_900)}data:</p>`, undefined],
  ['spaces in image-set()', `<p>image-set(${' '.repeat(399_900)}</p>`, undefined],
  ['many url(', 'url('.repeat(99_000), 'data: URIs'],
  ['many image-set(', 'image-set('.repeat(39_000), undefined],
  ['backslashes', '\\'.repeat(399_900), undefined],
  ['digits of an escape', `\\${'0'.repeat(399_900)}`, undefined],
  ['ampersands', '&'.repeat(399_900), undefined],
  ['digits of a character reference', `&#${'0'.repeat(399_900)}`, undefined],
  ['letters of a character reference', `&${'a'.repeat(399_900)}`, undefined],
])('reads a long header with %s in one pass', (_name, html, message) => {
  if (message === undefined) expect(refusal(html)).toBeUndefined();
  else expect(refusal(html)).toContain(message);
});
