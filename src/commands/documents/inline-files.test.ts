import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderFiles } from './folder-files.ts';
import {
  inlineHtml,
  inlineMarkdown,
  inlinePartial,
  inlineReact,
  type LostReference,
} from './inline-files.ts';

const outer = mkdtempSync(join(tmpdir(), 'platen-inline-'));
const folder = join(outer, 'document');
mkdirSync(join(folder, 'css'), { recursive: true });
writeFileSync(join(outer, 'secret.png'), 'secret');
writeFileSync(join(folder, 'a b.png'), 'image');
writeFileSync(join(folder, 'css/main.css'), '@import "more.css"; h1 { background: url(../a%20b.png) }');
writeFileSync(join(folder, 'css/more.css'), 'p { background: url("gone.png") }');
symlinkSync(join(outer, 'secret.png'), join(folder, 'link.png'));
symlinkSync(join(folder, 'a b.png'), join(folder, 'inner.png'));
afterAll(() => rmSync(outer, { recursive: true }));

const IMAGE = `data:image/png;base64,${Buffer.from('image').toString('base64')}`;

function inlined(text: string, inline = inlineHtml): { text: string; lost: LostReference[] } {
  const lost: LostReference[] = [];
  const files = new FolderFiles(folder);
  return { text: inline(text, { files, path: undefined, name: 'template.html', lost }), lost };
}

describe('files beside a document', () => {
  test('replace their references, and nothing else changes', () => {
    const html = `<!-- kept -->
<img alt='x' src="a%20b.png?v=2"><IMG SRC='/a b.png' srcset="inner.png 2x, https://x.example/b.png 3x">
<p style="background: url('a b.png')">{{name}}</p><a href="a%20b.png">link</a>
<img src="{{logo}}"><img src="https://x.example/a.png"><img src="data:,x"><img src="asset:x.png"><img src="#x">`;
    expect(inlined(html)).toEqual({
      text: `<!-- kept -->
<img alt='x' src="${IMAGE}"><IMG SRC='${IMAGE}' srcset="${IMAGE} 2x, https://x.example/b.png 3x">
<p style="background: url('${IMAGE}')">{{name}}</p><a href="a%20b.png">link</a>
<img src="{{logo}}"><img src="https://x.example/a.png"><img src="data:,x"><img src="asset:x.png"><img src="#x">`,
      lost: [],
    });
  });

  test('may be style sheets with files of their own', () => {
    const { text, lost } = inlined('<link rel="stylesheet" href="css/main.css">');
    const sheet = (url = '') => Buffer.from(url.split(',')[1] ?? '', 'base64').toString();
    const main = sheet(/href="([^"]*)"/.exec(text)?.[1]);
    expect(main).toContain(`url(${IMAGE})`);
    expect(sheet(/@import "([^"]*)"/.exec(main)?.[1])).toBe('p { background: url("gone.png") }');
    expect(lost).toEqual([{ reference: 'gone.png', reason: 'missing', file: 'css/more.css', line: 1 }]);
  });

  test('are never read outside the folder, also through symbolic links', () => {
    const html = '<p>\n<img src="../secret.png"><img src="link.png">\n<img src="gone.png">';
    expect(inlined(html)).toEqual({
      text: html,
      lost: [
        { reference: '../secret.png', reason: 'outside', file: 'template.html', line: 2 },
        { reference: 'link.png', reason: 'outside', file: 'template.html', line: 2 },
        { reference: 'gone.png', reason: 'missing', file: 'template.html', line: 3 },
      ],
    });
  });

  test('are not named by text, scripts or links', () => {
    const html = `<p>url(bg.png)</p><p>a <code>@import "x.css"</code></p>
<script src="inner.png">const tag = "<img src='x.js'>"; const css = 'style="background: url(z.png)"';</script>
<link rel="canonical" href="inner.png"><link href='page' rel='alternate'><STYLE>a[href="b.png"] { top: 0 }</STYLE>`;
    const { text, lost } = inlined(html);
    expect(lost).toEqual([]);
    expect(text).toBe(html.replace('<script src="inner.png"', `<script src="${IMAGE}"`));
  });

  test('are named by style sheets, by styles of elements and by links that load them', () => {
    const html = (url: string) => `<link href="${url}" rel="shortcut icon"><link rel=preload href='${url}'>
<style>p { background: url(${url}) }</style><p style='background: url("${url}")'></p>
<style media="print">{{#each x}}a { background: url('${url}') }`;
    expect(inlined(html('inner.png'))).toEqual({ text: html(IMAGE), lost: [] });
    expect(inlined(html('gone.png')).lost.map(({ line }) => line)).toEqual([1, 1, 2, 2, 3]);
  });

  test('are found in partials that are CSS, and in the styles of React components', () => {
    const css = (url: string) => `p { background: url(${url}) }`;
    expect(inlined(css('inner.png'), inlinePartial).text).toBe(css(IMAGE));
    const react = (url: string) => `const s = { background: 'url(${url})' }; <img src="${url}" style={s} />`;
    expect(inlined(react('inner.png'), inlineReact).text).toBe(react(IMAGE));
  });

  test('may be images of Markdown', () => {
    expect(inlined('![Logo](inner.png "Title") [link](inner.png)', inlineMarkdown).text).toBe(
      `![Logo](${IMAGE} "Title") [link](inner.png)`,
    );
  });
});
