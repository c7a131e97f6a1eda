import { describe, expect, test } from 'bun:test';
import { fault, filled, linesOf, PNG } from './tests/fill.ts';
import { pptx, shape } from './tests/make-file.ts';

const items = [
  { name: 'Chair', points: ['a', 'b'] },
  { name: 'Desk', points: [] },
];

/** Returns the texts of the slides in their order. */
function slides(file: Uint8Array, data: unknown): string[][] {
  const { parts } = filled(file, data);
  const links = parts['ppt/_rels/presentation.xml.rels'] ?? '';
  const ids = [...(parts['ppt/presentation.xml'] ?? '').matchAll(/<p:sldId [^>]*r:id="(\w+)"/g)];
  return ids.map(([, id]) => {
    const tag = new RegExp(`<Relationship [^>]*Id="${id}"[^>]*>`).exec(links)?.[0] ?? '';
    const target = /Target="\/?(?:ppt\/)?([^"]*)"/.exec(tag)?.[1] ?? '';
    return linesOf(parts[`ppt/${target}`]);
  });
}

describe('pptx', () => {
  test('a block from one shape to another repeats the slide', () => {
    const file = pptx([
      shape('{{title}}'),
      shape('{{#each items}}{{name}}') + shape('{{@index}}{{/each}}'),
      shape('end'),
    ]);
    expect(slides(file, { title: 'T', items })).toEqual([['T'], ['Chair', '0'], ['Desk', '1'], ['end']]);
    expect(slides(file, { title: 'T', items: [] })).toEqual([['T'], ['end']]);
  });

  test('a block over several slides, and slides with nothing but tags', () => {
    const file = pptx([shape('{{#each items}}{{name}}'), shape('more{{/each}}')]);
    expect(slides(file, { items })).toEqual([['Chair'], ['more'], ['Desk'], ['more']]);
  });

  test('paragraphs in a shape, and line breaks in values', () => {
    const file = pptx([shape('{{#each points}}', '• {{this}}', '{{/each}}') + shape('{{text}}')]);
    expect(slides(file, { points: ['a', 'b'], text: 'x\ny' })).toEqual([['• a', '• b', 'x|y']]);
  });

  test('a shape with a picture becomes the picture, in its proportions', () => {
    const { parts } = filled(pptx([shape('{{image logo alt="Logo"}}')]), { logo: PNG });
    const xml = parts['ppt/slides/slide1.xml'];
    expect(xml).toContain('<a:off x="1600" y="200"/><a:ext cx="1000" cy="1000"/>');
    expect(xml).toContain('descr="Logo"');
    expect(xml).not.toContain('p:sp>');
  });

  test('faults and absent data name the slide', () => {
    expect(filled(pptx([shape('x'), shape('{{a}}')]), {}).missing).toEqual([
      { path: 'a', count: 1, place: 'slide 2' },
    ]);
    expect(fault(pptx([shape('x'), shape('{{#if a}}')]))).toBe(
      'tag: slide 2: the block "{{#if a}}" is not closed',
    );
    expect(fault(pptx([shape('x'), shape('{{image a}}', '{{image a}}')]), { a: PNG })).toBe(
      'tag: slide 2: a text box on a slide takes one image; use a text box for each',
    );
    expect(fault(pptx([shape('{{#each items}}') + shape('{{/each}}')]), { items: [] })).toBe(
      'tag: the data leaves no slide in the presentation',
    );
  });
});
