import { encodeXml, readTree, type TreeElement } from '@platen/xml';
import { tagFault } from './fault.ts';
import type { OfficePackage } from './opc.ts';
import { isPicture, placeOf, type Picture } from './picture-data.ts';
import type { Pictures } from './pictures.ts';
import { allOf, childOf, elementsOf, pathOf, walk } from './tree.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The slide on which pictures are placed. */
interface SlideParts {
  file: OfficePackage;
  part: string;
  pictures: Pictures;
}

/**
 * Replaces each shape whose text is a picture with the picture, in its place and at most in its size. A shape
 * whose picture is absent stays without it. Changes the tree.
 * @throws {OfficeFault}
 */
export function placePictures(root: TreeElement, slide: SlideParts): void {
  const visit = (parent: TreeElement) => {
    parent.children = parent.children.map((child) =>
      typeof child === 'object' && child.name === 'p:sp' ? (placed(child, slide) ?? child) : child,
    );
    for (const child of elementsOf(parent)) if (child.name !== 'p:sp') visit(child);
  };
  visit(root);
}

function placed(shape: TreeElement, slide: SlideParts): TreeElement | undefined {
  const asked: TreeElement[] = [];
  walk(shape, (each) => {
    if (!isPicture(each)) return true;
    asked.push(each);
    return false;
  });
  const [first] = asked;
  if (!first) return undefined;
  if (asked.length > 1) {
    const place = asked.map(placeOf).find((each) => each !== undefined);
    throw tagFault(place ?? 'the file', 'a text box on a slide takes one image; use a text box for each');
  }
  const picture = slide.pictures.read(first);
  if (!picture) return undefined;
  const box = boxOf(shape, slide) ?? { x: 0, y: 0, width: picture.width, height: picture.height };
  return makePicture(fitted(picture, box), picture, slide);
}

/** Centres a picture in a box. It keeps its proportions, and its size if the tag gives one. */
function fitted({ width, height, hasSize }: Picture, box: Box): Box {
  const scale = hasSize ? 1 : Math.min(box.width / width, box.height / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return {
    ...size,
    x: Math.round(box.x + (box.width - size.width) / 2),
    y: Math.round(box.y + (box.height - size.height) / 2),
  };
}

function makePicture(
  { x, y, width, height }: Box,
  picture: Picture,
  { part, pictures }: SlideParts,
): TreeElement {
  const id = pictures.nextId();
  return readTree(
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Picture ${id}" descr="${encodeXml(picture.alt)}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill>${pictures.blip(part, picture)}<a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`,
  );
}

/** Finds the box of a shape: its own, or that of its placeholder on the layout or the master. */
function boxOf(shape: TreeElement, { file, part }: SlideParts): Box | undefined {
  const own = readBox(shape);
  const placeholder = pathOf(shape, 'p:nvSpPr', 'p:nvPr', 'p:ph');
  if (own || !placeholder) return own;
  const layout = file.relationships(part).find(({ kind }) => kind === 'slideLayout')?.target;
  const master =
    layout === undefined
      ? undefined
      : file.relationships(layout).find(({ kind }) => kind === 'slideMaster')?.target;
  for (const name of [layout, master]) {
    if (name === undefined || !file.has(name)) continue;
    const found = allOf(file.read(name), 'p:sp').find((each) => {
      const other = pathOf(each, 'p:nvSpPr', 'p:nvPr', 'p:ph');
      return ['idx', 'type'].some(
        (key) =>
          placeholder.attributes.has(key) && other?.attributes.get(key) === placeholder.attributes.get(key),
      );
    });
    const box = found && readBox(found);
    if (box) return box;
  }
  return undefined;
}

function readBox(shape: TreeElement): Box | undefined {
  const transform = pathOf(shape, 'p:spPr', 'a:xfrm');
  const offset = childOf(transform, 'a:off')?.attributes;
  const extent = childOf(transform, 'a:ext')?.attributes;
  const box = {
    x: Number(offset?.get('x')),
    y: Number(offset?.get('y')),
    width: Number(extent?.get('cx')),
    height: Number(extent?.get('cy')),
  };
  return Object.values(box).every(Number.isFinite) && box.width > 0 && box.height > 0 ? box : undefined;
}
