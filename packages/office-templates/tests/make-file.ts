import { encodeXml } from '@platen/xml';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument';
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const S = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const P = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/** The parts of a file by their names. */
export type Parts = Record<string, string | Uint8Array>;

/** Packs parts into a file, with parts of content types and relationships from `types` and `links`. */
export function makeFile(
  parts: Parts,
  { types, links }: { types: Record<string, string>; links: Record<string, string> },
): Uint8Array {
  const overrides = Object.entries(types).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${TYPES}.${type}+xml"/>`,
  );
  const all: Parts = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${overrides.join('')}</Types>`,
    ...Object.fromEntries(
      Object.entries(links).map(([name, content]) => [
        name,
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`,
      ]),
    ),
    ...parts,
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(all).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level: 1, mtime: new Date(1980, 0, 1) },
  );
}

export function link(id: string, kind: string, target: string, mode = ''): string {
  return `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${kind}" Target="${target}"${mode}/>`;
}

/** Makes a docx file with the given content of its body, and other parts that it has a relationship with. */
export function docx(
  body: string,
  others: { kind: string; type: string; content: string }[] = [],
): Uint8Array {
  const names = others.map(({ kind }, index) => `${kind}${index + 1}.xml`);
  return makeFile(
    {
      'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${RELATIONSHIPS}"><w:body>${body}</w:body></w:document>`,
      ...Object.fromEntries(
        others.map(({ content }, index) => [
          `word/${names[index]}`,
          content.replace('>', ` xmlns:w="${W}">`),
        ]),
      ),
    },
    {
      types: {
        'word/document.xml': 'wordprocessingml.document.main',
        ...Object.fromEntries(others.map(({ type }, index) => [`word/${names[index]}`, type])),
      },
      links: {
        '_rels/.rels': link('rId1', 'officeDocument', 'word/document.xml'),
        'word/_rels/document.xml.rels': others
          .map(({ kind }, index) => link(`rId${index + 1}`, kind, names[index] ?? ''))
          .join(''),
      },
    },
  );
}

/** Makes a paragraph with one run for each text. */
export function paragraph(...texts: string[]): string {
  return `<w:p>${texts.map((text) => `<w:r><w:t>${text}</w:t></w:r>`).join('')}</w:p>`;
}

export function table(...lines: string[][]): string {
  const cells = (row: string[]) => row.map((text) => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`).join('');
  return `<w:tbl><w:tblPr/><w:tblGrid/>${lines.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}

/** Makes an xlsx file. Each sheet is the content of `worksheet`; `names` is that of `definedNames`. */
export function xlsx(
  sheets: Record<string, string>,
  {
    names = '',
    strings = [],
    parts = {},
    links = {},
  }: { names?: string; strings?: string[]; parts?: Parts; links?: Record<string, string> } = {},
): Uint8Array {
  const titles = Object.keys(sheets);
  return makeFile(
    {
      'xl/workbook.xml': `<workbook xmlns="${S}" xmlns:r="${RELATIONSHIPS}"><sheets>${titles.map((title, index) => `<sheet name="${encodeXml(title)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets>${names === '' ? '' : `<definedNames>${names}</definedNames>`}</workbook>`,
      'xl/styles.xml': `<styleSheet xmlns="${S}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      'xl/sharedStrings.xml': `<sst xmlns="${S}">${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
      ...Object.fromEntries(
        Object.values(sheets).map((content, index) => [
          `xl/worksheets/sheet${index + 1}.xml`,
          `<worksheet xmlns="${S}" xmlns:r="${RELATIONSHIPS}">${content}</worksheet>`,
        ]),
      ),
      ...parts,
    },
    {
      types: {
        'xl/workbook.xml': 'spreadsheetml.sheet.main',
        'xl/styles.xml': 'spreadsheetml.styles',
        'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
        ...Object.fromEntries(
          titles.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, 'spreadsheetml.worksheet']),
        ),
      },
      links: {
        '_rels/.rels': link('rId1', 'officeDocument', 'xl/workbook.xml'),
        'xl/_rels/workbook.xml.rels': [
          ...titles.map((_, index) =>
            link(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
          ),
          link('rId90', 'styles', 'styles.xml'),
          link('rId91', 'sharedStrings', 'sharedStrings.xml'),
        ].join(''),
        ...links,
      },
    },
  );
}

/** Makes the rows of a sheet: each cell is a text, a formula with `=`, or empty. `styles` are by cell. */
export function rows(cells: Record<string, string>, styles: Record<string, string> = {}): string {
  const byRow = new Map<string, string>();
  for (const [at, text] of Object.entries(cells)) {
    const row = at.replace(/^[A-Z]+/, '');
    const style = styles[at] === undefined ? '' : ` s="${styles[at]}"`;
    const cell = text.startsWith('=')
      ? `<c r="${at}"${style}><f>${text.slice(1)}</f><v>99</v></c>`
      : `<c r="${at}"${style} t="inlineStr"><is><t>${text}</t></is></c>`;
    byRow.set(row, (byRow.get(row) ?? '') + cell);
  }
  return `<sheetData>${[...byRow].map(([row, content]) => `<row r="${row}">${content}</row>`).join('')}</sheetData>`;
}

/** Makes a pptx file. Each slide is the content of its `p:spTree`. */
export function pptx(slides: string[]): Uint8Array {
  return makeFile(
    {
      'ppt/presentation.xml': `<p:presentation xmlns:p="${P}" xmlns:r="${RELATIONSHIPS}"><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
      ...Object.fromEntries(
        slides.map((content, index) => [
          `ppt/slides/slide${index + 1}.xml`,
          `<p:sld xmlns:p="${P}" xmlns:a="${A}" xmlns:r="${RELATIONSHIPS}"><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`,
        ]),
      ),
    },
    {
      types: {
        'ppt/presentation.xml': 'presentationml.presentation.main',
        ...Object.fromEntries(
          slides.map((_, index) => [`ppt/slides/slide${index + 1}.xml`, 'presentationml.slide']),
        ),
      },
      links: {
        '_rels/.rels': link('rId1', 'officeDocument', 'ppt/presentation.xml'),
        'ppt/_rels/presentation.xml.rels': slides
          .map((_, index) => link(`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`))
          .join(''),
      },
    },
  );
}

export function shape(...paragraphs: string[]): string {
  const text = paragraphs.map((each) => `<a:p><a:r><a:t>${each}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="100" y="200"/><a:ext cx="4000" cy="1000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`;
}

/** Reads the parts of a file as text. */
export function partsOf(file: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(file)).map(([name, bytes]) => [name, strFromU8(bytes)]));
}
