import { decodeXml, encodeXml, type TreeElement } from '@platen/xml';
import { placeBlocks, type BlockRules } from './blocks.ts';
import { toTemplate, fillPart, type Filling, type PartTemplate } from './fill-part.ts';
import type { OfficePackage } from './opc.ts';
import type { Pictures } from './pictures.ts';
import { writeTexts } from './styled-text.ts';
import { markTags, tagOf } from './tags.ts';
import { allOf, childOf, element, elementsOf, walk } from './tree.ts';

const RULES: BlockRules = {
  text: 'w:t',
  run: 'w:r',
  style: 'w:rPr',
  units: new Set(['w:p', 'w:tr']),
  wholes: new Set(['w:tr']),
  ignored: new Set(['w:pPr', 'w:rPr', 'w:tcPr', 'w:trPr']),
};

/** The parts with text, by the kind of their relationship, and their names in places. */
const TEXT_PARTS: Readonly<Record<string, string>> = {
  header: 'header',
  footer: 'footer',
  footnotes: 'footnotes',
  endnotes: 'endnotes',
};

/** A part of a document that has tags. */
export interface DocxPart {
  name: string;
  template: PartTemplate;
}

/** Finds the parts with tags, as templates. @throws {OfficeFault} */
export function readDocx(file: OfficePackage): DocxPart[] {
  const counts = new Map<string, number>();
  const parts = [{ name: file.main, prefix: '' }];
  for (const { kind, target, isExternal } of file.relationships(file.main)) {
    const title = TEXT_PARTS[kind];
    if (title === undefined || isExternal || !file.has(target)) continue;
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    parts.push({ name: target, prefix: title.endsWith('s') ? `${title}, ` : `${title} ${number}, ` });
  }
  return parts.flatMap(({ name, prefix }) => {
    const root = file.read(name);
    markParagraphs(root, prefix);
    if (!hasTags(root)) return [];
    placeBlocks(root, RULES);
    return [{ name, template: toTemplate(root) }];
  });
}

/** Fills the parts with tags. @throws {OfficeFault} */
export function fillDocx(
  file: OfficePackage,
  parts: readonly DocxPart[],
  { filling, pictures }: { filling: Filling; pictures: Pictures },
): void {
  for (const { name, template } of parts) {
    const root = fillPart(template, filling);
    writeTexts(root, {
      text: 'w:t',
      run: 'w:r',
      style: 'w:rPr',
      breaksInRuns: true,
      picture(node) {
        const picture = pictures.read(node);
        return picture && pictures.inline(name, picture);
      },
    });
    repair(root, pictures);
    file.write(name, root);
  }
}

function hasTags(root: TreeElement): boolean {
  let has = false;
  walk(root, (each) => {
    if (tagOf(each)) has = true;
    return !has;
  });
  return has;
}

/** Marks the tags in all paragraphs, with their places. */
function markParagraphs(root: TreeElement, prefix: string): void {
  let paragraphs = 0;
  let tables = 0;
  const visit = (parent: TreeElement, place: string | undefined) => {
    for (const child of elementsOf(parent))
      if (child.name === 'w:tbl' && place === undefined) {
        tables += 1;
        visitRows(child, `${prefix}table ${tables}`);
      } else if (child.name === 'w:p') {
        if (place === undefined) paragraphs += 1;
        const here = place ?? `${prefix}paragraph ${paragraphs}`;
        markTags(textsOf(child), here);
        for (const box of boxesIn(child)) visit(box, `${here}, text box`);
      } else visit(child, place);
  };
  const visitRows = (table: TreeElement, place: string) => {
    let rows = 0;
    walk(table, (each) => {
      if (each.name !== 'w:tr') return each.name !== 'w:tblPr';
      rows += 1;
      visit(each, `${place}, row ${rows}`);
      return false;
    });
  };
  visit(root, undefined);
}

/** Returns the texts of a paragraph, without those of text boxes in it. */
function textsOf(paragraph: TreeElement): TreeElement[] {
  const texts: TreeElement[] = [];
  walk(paragraph, (each) => {
    if (each.name === 'w:t') texts.push(each);
    return each.name !== 'w:p' && each.name !== 'w:txbxContent';
  });
  return texts;
}

function boxesIn(paragraph: TreeElement): TreeElement[] {
  const boxes: TreeElement[] = [];
  walk(paragraph, (each) => {
    if (each.name === 'w:txbxContent') boxes.push(each);
    return each.name !== 'w:txbxContent';
  });
  return boxes;
}

/** Repairs what blocks break: cells without a paragraph, tables without rows, and ids that occur twice. */
function repair(root: TreeElement, pictures: Pictures): void {
  const bookmarks = new Set<string>();
  const dropped = new Set<string>();
  const controls = new Set<string>();
  const drawings = new Set<string>();
  const visit = (parent: TreeElement) => {
    parent.children = parent.children.filter((child) => {
      if (typeof child === 'string') return true;
      const { name, attributes } = child;
      if (name === 'w:tbl') return allOf(child, 'w:tr').length > 0;
      if (name === 'w:bookmarkStart') {
        const title = decodeXml(attributes.get('w:name') ?? '');
        const isNew = !bookmarks.has(title);
        bookmarks.add(title);
        if (!isNew) dropped.add(attributes.get('w:id') ?? '');
        return isNew;
      }
      if (name === 'w:bookmarkEnd') return !dropped.delete(attributes.get('w:id') ?? '');
      return true;
    });
    for (const child of elementsOf(parent)) {
      child.attributes.delete('w14:paraId');
      child.attributes.delete('w14:textId');
      visit(child);
    }
    if (parent.name === 'w:tc' && !elementsOf(parent).some(({ name }) => name === 'w:p'))
      parent.children.push(element('w:p'));
    if (parent.name === 'w:sdtPr') {
      const id = childOf(parent, 'w:id')?.attributes.get('w:val');
      if (id !== undefined && controls.has(id))
        parent.children = parent.children.filter(
          (child) => typeof child === 'string' || child.name !== 'w:id',
        );
      if (id !== undefined) controls.add(id);
    }
    if (parent.name === 'wp:docPr') {
      const id = parent.attributes.get('id') ?? '';
      if (drawings.has(id)) parent.attributes.set('id', encodeXml(String(pictures.nextId())));
      drawings.add(id);
    }
  };
  visit(root);
}
