import { encodeXml, readTree } from '@platen/xml';
import type { OfficePackage } from '../opc.ts';
import type { Picture } from '../picture-data.ts';
import type { Pictures } from '../pictures.ts';
import { childOf, element, elementsOf } from '../tree.ts';
import { columnNumber, readCell } from './formula.ts';
import type { Sheet } from './read.ts';

/** A picture and the cell at whose corner it is. */
export interface CellPicture {
  cell: string;
  picture: Picture;
}

const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';
const SHEET_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The elements that follow `drawing` in a sheet (ISO/IEC 29500-1, 18.3.1.99). */
const AFTER_DRAWING = new Set(
  'legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst'.split(
    ' ',
  ),
);

/** Adds pictures to a sheet, to its drawing if it has one. */
export function addCellPictures(
  file: OfficePackage,
  { root, part }: Pick<Sheet, 'root' | 'part'>,
  { found, pictures }: { found: readonly CellPicture[]; pictures: Pictures },
): void {
  const known = file.target(part, childOf(root, 'drawing')?.attributes.get('r:id'));
  const name = known ?? `xl/drawings/platen-${pictures.nextId()}.xml`;
  if (known === undefined) {
    file.add(
      name,
      `<xdr:wsDr xmlns:xdr="${SHEET_DRAWING}" xmlns:a="${DRAWING}" xmlns:r="${RELATIONSHIPS}"/>`,
      DRAWING_TYPE,
    );
    const drawing = element('drawing', { 'r:id': file.relate(part, 'drawing', name) });
    const index = root.children.findIndex(
      (child) => typeof child === 'object' && AFTER_DRAWING.has(child.name),
    );
    root.children.splice(index < 0 ? root.children.length : index, 0, drawing);
  }
  const drawing = file.read(name);
  const prefix = drawing.name.slice(0, drawing.name.indexOf(':') + 1);
  for (const each of found) {
    const anchor = readTree(anchorOf(each, { file, name, pictures }));
    if (prefix === 'xdr:') drawing.children.push(anchor);
    else
      drawing.children.push({
        ...anchor,
        attributes: new Map([...anchor.attributes, ['xmlns:xdr', SHEET_DRAWING]]),
      });
  }
  file.write(name, drawing);
}

function anchorOf(
  { cell, picture }: CellPicture,
  { name, pictures }: { file: OfficePackage; name: string; pictures: Pictures },
): string {
  const { column, row } = readCell(cell) ?? { column: 'A', row: 1 };
  const id = pictures.nextId();
  const { width, height, alt } = picture;
  return `<xdr:oneCellAnchor xmlns:a="${DRAWING}" xmlns:r="${RELATIONSHIPS}"><xdr:from><xdr:col>${columnNumber(column) - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="${width}" cy="${height}"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="Picture ${id}" descr="${encodeXml(alt)}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill>${pictures.blip(name, picture)}<a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}

/** Returns the names of the drawings of a sheet. */
export function drawingsOf(file: OfficePackage, part: string): string[] {
  return file
    .relationships(part)
    .flatMap(({ kind, target }) => (kind === 'drawing' && file.has(target) ? target : []));
}

/** Returns the anchors of a drawing. */
export function anchorsOf(file: OfficePackage, drawing: string) {
  const root = file.read(drawing);
  return { root, anchors: elementsOf(root) };
}
