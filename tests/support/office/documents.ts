import { strToU8, zipSync } from 'fflate';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

interface Relationship {
  id: string;
  /** The end of the type, such as `hyperlink`. */
  type: string;
  target: string;
  /** Whether the target is outside of the file. */
  external?: boolean;
}

function relationships(list: readonly Relationship[]): string {
  const items = list.map(
    ({ id, type, target, external = true }) =>
      `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

function contentTypes(main: string, type: string): string {
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;
}

const root = (target: string) =>
  relationships([{ id: 'r1', type: 'officeDocument', target, external: false }]);

/** Creates a docx file with the given body, a sequence of paragraphs in WordprocessingML. */
export function docx(body: string, links: readonly Relationship[] = []): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(contentTypes('word/document.xml', 'wordprocessingml.document')),
    '_rels/.rels': strToU8(root('word/document.xml')),
    'word/_rels/document.xml.rels': strToU8(relationships(links)),
    'word/document.xml': strToU8(
      `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
export const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
/** A paragraph with a link whose text has no character style. */
export const linkTo = (id: string, text: string) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;

/** A drawing with an image that is linked, not embedded. */
export const linkedImage = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="952500"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="952500" cy="952500"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** Creates an xlsx file with one sheet of text cells. */
export function xlsx(rows: readonly (readonly string[])[]): Uint8Array {
  const cells = rows.map(
    (row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
  );
  return zipSync({
    '[Content_Types].xml': strToU8(
      contentTypes('xl/workbook.xml', 'spreadsheetml.sheet').replace(
        '</Types>',
        '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      ),
    ),
    '_rels/.rels': strToU8(root('xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': strToU8(
      relationships([{ id: 'r1', type: 'worksheet', target: 'worksheets/sheet1.xml', external: false }]),
    ),
    'xl/workbook.xml': strToU8(
      `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="Sums" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells.join('')}</sheetData></worksheet>`,
    ),
  });
}

/** Creates a flat OpenDocument text with the given content of its body. */
export function fodt(body: string): Uint8Array {
  return strToU8(
    `${XML}<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>${body}</office:text></office:body></office:document>`,
  );
}
