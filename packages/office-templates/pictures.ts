import { encodeXml, readTree, type TreeElement } from '@platen/xml';
import type { OfficePackage } from './opc.ts';
import { readPicture, type FindAsset, type Picture } from './picture-data.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PICTURE = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SVG = 'http://schemas.microsoft.com/office/drawing/2016/SVG/main';

const TYPES: Readonly<Record<Picture['type'], string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** Adds the pictures that tags ask for to a file. The same bytes are stored once. */
export class Pictures {
  readonly #file: OfficePackage;
  readonly #findAsset: FindAsset;
  readonly #stored = new Map<string, string>();
  readonly #related = new Map<string, string>();
  #number = 0;

  constructor(file: OfficePackage, findAsset: FindAsset) {
    this.#file = file;
    this.#findAsset = findAsset;
  }

  /** Reads the picture of a tag; see `readPicture`. */
  read(node: TreeElement): Picture | undefined {
    return readPicture(node, this.#findAsset);
  }

  /** Returns the element `a:blip` or `pic:blipFill` content that refers to a picture from a part. */
  blip(part: string, { bytes, type }: Picture): string {
    if (type !== 'svg') return `<a:blip r:embed="${this.#relate(part, bytes, type)}"/>`;
    // LibreOffice reads the first reference, and Office 2016 and later the second one.
    const drawing = this.#relate(part, bytes, 'svg');
    return `<a:blip r:embed="${drawing}"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="${SVG}" r:embed="${drawing}"/></a:ext></a:extLst></a:blip>`;
  }

  /** Returns a number for the id of a drawing, which no other drawing has. */
  nextId(): number {
    this.#number += 1;
    return 1_000_000 + this.#number;
  }

  /** Makes the drawing of a picture in a line of text (`w:drawing`). */
  inline(part: string, picture: Picture): TreeElement {
    const id = this.nextId();
    const { width, height, alt } = picture;
    return readTree(
      `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${width}" cy="${height}"/><wp:docPr id="${id}" name="Picture ${id}" descr="${encodeXml(alt)}"/><a:graphic xmlns:a="${DRAWING}"><a:graphicData uri="${PICTURE}"><pic:pic xmlns:pic="${PICTURE}" xmlns:r="${RELATIONSHIPS}"><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${this.blip(part, picture)}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`,
    );
  }

  #relate(part: string, bytes: Uint8Array, type: Picture['type']): string {
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    const folder = this.#file.main.slice(0, this.#file.main.indexOf('/'));
    const name = this.#stored.get(hash) ?? `${folder}/media/platen-${this.#stored.size + 1}.${type}`;
    if (!this.#stored.has(hash)) {
      this.#stored.set(hash, name);
      this.#file.add(name, bytes, TYPES[type]);
    }
    const key = `${part}\n${name}`;
    const id = this.#related.get(key) ?? this.#file.relate(part, 'image', name);
    this.#related.set(key, id);
    return id;
  }
}
