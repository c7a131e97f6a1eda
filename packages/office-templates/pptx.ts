import { writeTree, type TreeElement } from '@platen/xml';
import { placeBlocks, type BlockRules } from './blocks.ts';
import { OfficeFault } from './fault.ts';
import { fillPart, toTemplate, type Filling, type PartTemplate } from './fill-part.ts';
import type { OfficePackage } from './opc.ts';
import type { Pictures } from './pictures.ts';
import { placePictures } from './slide-pictures.ts';
import { writeTexts } from './styled-text.ts';
import { markTags, tagOf } from './tags.ts';
import { childOf, element, elementsOf, walk } from './tree.ts';

const RULES: BlockRules = {
  text: 'a:t',
  run: 'a:r',
  style: 'a:rPr',
  units: new Set(['a:p', 'a:tr', 'slide']),
  wholes: new Set(['a:tr', 'slide']),
  ignored: new Set(['a:pPr', 'a:rPr', 'a:tcPr', 'a:endParaRPr', 'a:bodyPr', 'a:lstStyle']),
};

const SLIDE_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.slide+xml';
const NOTES_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml';

/** The slides of a presentation as one template, so that a block can enclose several of them. */
export interface DeckTemplate {
  template: PartTemplate;
}

/** Reads a presentation; `undefined` if it has no tags. @throws {OfficeFault} */
export function readPptx(file: OfficePackage): DeckTemplate | undefined {
  const presentation = file.read(file.main);
  const deck = element('deck');
  let has = false;
  for (const [index, id] of slideIds(presentation).entries()) {
    const part = file.target(file.main, id.attributes.get('r:id'));
    if (part === undefined || !file.has(part))
      throw new OfficeFault(`is damaged: slide ${index + 1} is missing`);
    const notes = file.relationships(part).find(({ kind }) => kind === 'notesSlide')?.target;
    const slide = element('slide', { part }, [file.read(part)]);
    if (notes !== undefined && file.has(notes)) slide.children.push(file.read(notes));
    walk(slide, (each) => {
      if (each.name !== 'a:p') return;
      markTags(
        elementsOf(each).flatMap((run) => (run.name === 'a:r' ? (childOf(run, 'a:t') ?? []) : [])),
        `slide ${index + 1}`,
      );
    });
    walk(slide, (each) => {
      if (tagOf(each)) has = true;
      return !has;
    });
    deck.children.push(slide);
  }
  if (!has) return undefined;
  placeBlocks(deck, RULES);
  return { template: toTemplate(deck) };
}

/** Fills the slides of a presentation. @throws {OfficeFault} */
export function fillPptx(
  file: OfficePackage,
  { template }: DeckTemplate,
  { filling, pictures }: { filling: Filling; pictures: Pictures },
): void {
  const deck = fillPart(template, filling);
  const presentation = file.read(file.main);
  const list = childOf(presentation, 'p:sldIdLst');
  if (!list) return;
  const before = slideIds(presentation);
  const byPart = new Map(before.map((id) => [file.target(file.main, id.attributes.get('r:id')) ?? '', id]));
  let nextId = Math.max(255, ...before.map((id) => Number(id.attributes.get('id') ?? 0))) + 1;
  const used = new Set<string>();
  const ids: TreeElement[] = [];
  const originals = new Map([...byPart.keys()].map((part) => [part, file.relationships(part)]));
  for (const slide of elementsOf(deck)) {
    const source = slide.attributes.get('part') ?? '';
    const [content, notes] = elementsOf(slide);
    if (!content) continue;
    let part = source;
    if (used.has(source)) {
      part = copySlide(file, { source, number: ids.length + 1, hasNotes: notes !== undefined, originals });
      ids.push(element('p:sldId', { id: String(nextId), 'r:id': file.relate(file.main, 'slide', part) }));
      nextId += 1;
    } else {
      const id = byPart.get(source);
      if (id) ids.push(id);
    }
    used.add(source);
    write(file, part, content, pictures);
    const notesPart = file.relationships(part).find(({ kind }) => kind === 'notesSlide')?.target;
    if (notes && notesPart !== undefined) write(file, notesPart, notes, pictures);
  }
  if (ids.length === 0) throw new OfficeFault('the data leaves no slide in the presentation', 'tag');
  for (const [part] of byPart) if (!used.has(part)) removeSlide(file, part);
  const isChanged = ids.length !== before.length || ids.some((id, index) => id !== before[index]);
  if (!isChanged) return;
  list.children = ids;
  // Sections name the slides by their ids.
  const extensions = childOf(presentation, 'p:extLst');
  if (extensions)
    extensions.children = extensions.children.filter(
      (child) =>
        typeof child === 'string' || !elementsOf(child).some(({ name }) => name === 'p14:sectionLst'),
    );
  if (extensions?.children.length === 0)
    presentation.children = presentation.children.filter((child) => child !== extensions);
  file.write(file.main, presentation);
}

function slideIds(presentation: TreeElement): TreeElement[] {
  const list = childOf(presentation, 'p:sldIdLst');
  return list ? elementsOf(list).filter(({ name }) => name === 'p:sldId') : [];
}

function write(file: OfficePackage, part: string, content: TreeElement, pictures: Pictures): void {
  placePictures(content, { file, part, pictures });
  writeTexts(content, {
    text: 'a:t',
    run: 'a:r',
    style: 'a:rPr',
    breaksInRuns: false,
    picture: () => undefined,
  });
  requireParagraphs(content);
  file.write(part, content);
}

/** Adds what blocks can remove: the paragraph that every text needs, and the row that a table needs. */
function requireParagraphs(root: TreeElement): void {
  walk(root, (each) => {
    if ((each.name === 'p:txBody' || each.name === 'a:txBody') && !childOf(each, 'a:p'))
      each.children.push(element('a:p'));
  });
  const visit = (parent: TreeElement) => {
    parent.children = parent.children.filter(
      (child) => typeof child === 'string' || child.name !== 'p:graphicFrame' || !hasEmptyTable(child),
    );
    for (const child of elementsOf(parent)) visit(child);
  };
  visit(root);
}

function hasEmptyTable(frame: TreeElement): boolean {
  let isEmpty = false;
  walk(frame, (each) => {
    if (each.name === 'a:tbl' && !childOf(each, 'a:tr')) isEmpty = true;
  });
  return isEmpty;
}

/** Copies the relationships of a slide, with its notes and charts, to a new slide. Returns its name. */
function copySlide(
  file: OfficePackage,
  {
    source,
    number,
    hasNotes,
    originals,
  }: {
    source: string;
    number: number;
    hasNotes: boolean;
    originals: ReadonlyMap<string, ReturnType<OfficePackage['relationships']>>;
  },
): string {
  const part = `ppt/slides/platen-slide${number}.xml`;
  file.add(part, '<p:sld/>', SLIDE_TYPE);
  const relationships = (originals.get(source) ?? []).flatMap((relationship) => {
    if (relationship.kind === 'chart' && file.has(relationship.target))
      return [{ ...relationship, target: copyPart(file, relationship.target, number) }];
    if (relationship.kind !== 'notesSlide') return [relationship];
    if (!hasNotes) return [];
    const target = `ppt/notesSlides/platen-notes${number}.xml`;
    file.add(target, '<p:notes/>', NOTES_TYPE);
    file.setRelationships(
      target,
      file
        .relationships(relationship.target)
        .map((each) => (each.kind === 'slide' ? { ...each, target: part } : each)),
    );
    return [{ ...relationship, target }];
  });
  file.setRelationships(part, relationships);
  return part;
}

/** Copies a part such as a chart, so that each slide has its own. */
function copyPart(file: OfficePackage, source: string, number: number): string {
  const dot = source.lastIndexOf('.');
  const target = `${source.slice(0, dot)}-platen${number}${source.slice(dot)}`;
  file.add(target, writeTree(file.read(source)), file.typeOf(source));
  file.setRelationships(target, file.relationships(source));
  return target;
}

function removeSlide(file: OfficePackage, part: string): void {
  const notes = file.relationships(part).find(({ kind }) => kind === 'notesSlide')?.target;
  if (notes !== undefined) file.delete(notes);
  file.setRelationships(
    file.main,
    file.relationships(file.main).filter(({ target }) => target !== part),
  );
  file.delete(part);
}
