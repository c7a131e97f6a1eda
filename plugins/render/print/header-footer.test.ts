import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/plugin.ts';
import { requireInertHeaderOrFooter } from './header-footer.ts';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** Returns the error message for a header; `undefined` when it is accepted. */
function rejection(html: string): string | undefined {
  try {
    requireInertHeaderOrFooter('options.header', html);
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
    expect(rejection(html)).toBeUndefined();
  });
});

describe('a header with a remote resource is rejected', () => {
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
    expect(rejection(html)).toContain('data: URIs');
  });
});

test('a header with too many characters or too many elements is rejected', () => {
  expect(rejection(' '.repeat(400_001))).toContain('at most 400000 characters');
  expect(rejection('<b>'.repeat(50_000))).toContain('elements');
});

// A regular expression that restarts at each character needs minutes for each of these.
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
  if (message === undefined) expect(rejection(html)).toBeUndefined();
  else expect(rejection(html)).toContain(message);
});
