import { describe, expect, test } from 'bun:test';
import { activeDocuments, plainDocuments } from '../../../tests/documents/index.ts';
import { classify, MAX_CLASSIFIED_CHARACTERS, MAX_CLASSIFIED_PARTS } from './classify.ts';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

describe('classify', () => {
  test.each([
    '',
    'only text',
    '<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>t</title><style>p{color:red}</style></head><body><p class="x" id="y">hi</p></body></html>',
    '<meta name="viewport" content="width=device-width"><meta name="Author" content="x">',
    `<img src="${PIXEL}" srcset="${PIXEL} 2x">`,
    '<a href="https://example.com/">a</a> <a href="#b">b</a> <a href="mailto:a@b.c">c</a>',
    '<svg><linearGradient id="g"/><use href="#g"/><use xlink:href="#g"/></svg>',
    '<table><thead><tr><th scope="col">x</th></tr></thead></table>',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '<form action="#"><input value="x"><textarea>t</textarea></form>',
    '<p title="onclick= javascript: text in a value">x</p>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    `<p style="background: url(${PIXEL})">`,
    '<svg><rect fill="url(#g)"/></svg>',
    '<style>@media print { p { background: image-set("https://example.com/a.png" 1x) } }</style>',
  ])('plain: %s', (html) => {
    expect(classify(html).documentClass).toBe('plain');
  });

  test.each([
    ['<style>p { color: red }</style><p>x</p><svg><use href="#g"/></svg>', true],
    [`<img src="${PIXEL}">`, false],
    [`<p style="background: url(${PIXEL})">`, false],
    ['<style>@font-face { font-family: F; src: local(G) }</style>', false],
    ['<svg><rect fill="url(#g)"/></svg>', false],
    ['<script>1</script>', false],
  ])('%s has no assets: %p', (html, hasNoAssets) => {
    expect(classify(html).hasNoAssets ?? false).toBe(hasNoAssets);
  });

  test('a document with the fonts of its account has assets', () => {
    const fonts = '<style>@font-face { font-family: F; src: url(https://assets.platen.invalid/f) }</style>';
    expect(classify(`${fonts}<p>x</p>`, fonts)).toMatchObject({ documentClass: 'plain', hasNoAssets: false });
  });

  test.each([
    '<script>1</script>',
    '<body link="red">',
    '<style title="a">p { color: red }</style>',
    `<picture><source media="print" srcset="${PIXEL}"></picture>`,
    '<style>@media (scripting: none) { p { color: red } }</style>',
    '<style>body { background-attachment: fixed }</style>',
    '<style>body { background: #fff fi\\78 ed }</style>',
    '<style>@import "a.css";</style>',
    '<p style="background: URL( \'https://example.com/a.png\')">',
    '<style>@font-face { font-family: F; src: url(//example.com/f.woff2) }</style>',
    '<meta http-equiv="content-type" content="text/html" http-equiv="refresh">',
    '<meta http-equiv="content-language" content="ja">',
    '<p autofocus>',
    '<SCRIPT src=x></SCRIPT>',
    '<p onclick="x()">',
    '<body onload=x>',
    '<svg/onload=x>',
    '<img src=x onerror=x>',
    `<img src="https://example.com/a.png">`,
    '<img src="relative.png">',
    '<link rel="stylesheet" href="https://example.com/a.css">',
    '<link rel="preconnect" href="https://example.com">',
    '<iframe srcdoc="x"></iframe>',
    '<frameset></frameset>',
    '<object data="x"></object>',
    '<embed src="x">',
    '<base href="https://example.com/">',
    '<meta http-equiv="refresh" content="0;url=https://example.com">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="dark">',
    '<meta property="og:title" content="x">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" \tJavaScript:alert(1)">x</a>',
    '<svg><use href="https://example.com/a.svg#x"/></svg>',
    '<svg><image href="https://example.com/a.png"/></svg>',
    '<svg><animate attributeName="href"/></svg>',
    '<video src="data:,"></video>',
    '<template><p></p></template>',
    '<x-custom></x-custom>',
    '<portal src="x"></portal>',
    '<!-- <base href="https://example.com/"> -->',
    '<input type="image" src="https://example.com/a.png">',
    '<table background="https://example.com/a.png">',
    '<button formaction="https://example.com/">x</button>',
  ])('active: %s', (html) => {
    expect(classify(html).documentClass).toBe('active');
  });

  test.each([
    ['characters', `<p>${'x'.repeat(MAX_CLASSIFIED_CHARACTERS)}</p>`],
    ['elements', '<b>'.repeat(MAX_CLASSIFIED_PARTS + 1)],
    ['attributes', `<p ${'a '.repeat(MAX_CLASSIFIED_PARTS)}>`],
  ])('a document with too many %s is active', (_, html) => {
    expect(classify(html)).toEqual({ documentClass: 'active', html, isTooLarge: true });
  });

  test('makes lazy images eager and changes nothing else', () => {
    expect(classify(`<p>a &amp; b</p><img loading="lazy" src="${PIXEL}" alt='q'>`).html).toBe(
      `<p>a &amp; b</p><img src="${PIXEL}" alt='q'>`,
    );
    const html = '<!DOCTYPE html><P CLASS=a>é &nbsp;</P><br/>';
    expect(classify(`<head></head>${html}<script></script>`).html).toBe(
      `<head></head>${html}<script></script>`,
    );
    expect(classify(`<head></head><img src="${PIXEL}">`).html).not.toContain('display:none');
    expect(classify(html).html).toBe(html);
  });

  test('a document is hidden on the screen unless it loads fonts other than those of the account', () => {
    const face = (name: string) => `@font-face{src:url("https://assets.platen.invalid/${name}")}`;
    const html = `<style>${face('account')}</style><head></head><p>text`;
    expect(classify(html, face('account')).html).toContain('display:none');
    expect(classify(html).html).not.toContain('display:none');
    expect(classify(`<style>${face('own')}</style>${html}`, face('account')).html).not.toContain(
      'display:none',
    );
  });

  test('most plain test documents are plain, and active test documents never are', () => {
    // Classifying a plain document as active only costs time. The reverse must not happen.
    const plain = plainDocuments.filter(({ html }) => classify(html).documentClass === 'plain');
    expect(plain.length).toBeGreaterThanOrEqual(50);
    expect(activeDocuments.length).toBeGreaterThanOrEqual(12);
    const misclassified = activeDocuments.filter(({ html }) => classify(html).documentClass === 'plain');
    expect(misclassified.map(({ name }) => name)).toEqual([]);
  });
});
