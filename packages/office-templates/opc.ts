import { decodeXml, encodeXml, readTree, writeTree, XmlFault, type TreeElement } from '@platen/xml';
import { OfficeFault } from './fault.ts';
import { elementsOf } from './tree.ts';
import { pack, unpack } from './zip.ts';

/** The formats of office files that can be templates. */
export type OfficeFormat = 'docx' | 'xlsx' | 'pptx';

/** A relationship of a part (ISO/IEC 29500-2). */
export interface Relationship {
  id: string;
  /** The last word of its type, such as `image`. */
  kind: string;
  type: string;
  /** The name of a part, or a URL if it is external. */
  target: string;
  isExternal: boolean;
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT_TYPES_PART = '[Content_Types].xml';
const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';

/** The prefixes by which this package knows namespaces. */
const PREFIXES: Readonly<Record<OfficeFormat, ReadonlyMap<string, string>>> = {
  docx: new Map([
    ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w'],
    [OFFICE_RELATIONSHIPS, 'r'],
  ]),
  xlsx: new Map([
    ['http://schemas.openxmlformats.org/spreadsheetml/2006/main', ''],
    [OFFICE_RELATIONSHIPS, 'r'],
  ]),
  pptx: new Map([
    ['http://schemas.openxmlformats.org/presentationml/2006/main', 'p'],
    ['http://schemas.openxmlformats.org/drawingml/2006/main', 'a'],
    [OFFICE_RELATIONSHIPS, 'r'],
  ]),
};

const MAIN_TYPES: readonly (readonly [RegExp, OfficeFormat])[] = [
  [/wordprocessingml\.document\.main\+xml$/, 'docx'],
  [/spreadsheetml\.sheet\.main\+xml$/, 'xlsx'],
  [/presentationml\.presentation\.main\+xml$/, 'pptx'],
];

/** The parts of an office file. */
export class OfficePackage {
  readonly format: OfficeFormat;
  /** The name of the part with the document, the workbook or the presentation. */
  readonly main: string;
  readonly #parts: Map<string, Uint8Array>;
  readonly #types: TreeElement;
  readonly #relationships = new Map<string, Relationship[]>();

  /** @throws {OfficeFault} for a file that is not accepted */
  constructor(file: Uint8Array) {
    this.#parts = unpack(file);
    if (!this.#parts.has(CONTENT_TYPES_PART)) throw new OfficeFault('is not a docx, xlsx or pptx file');
    this.#types = this.#read(CONTENT_TYPES_PART, new Map([[CONTENT_TYPES, '']]));
    const main = this.relationships('').find(({ kind }) => kind === 'officeDocument');
    if (!main || main.isExternal || !this.#parts.has(main.target))
      throw new OfficeFault('is not a docx, xlsx or pptx file');
    const type = this.typeOf(main.target);
    this.main = main.target;
    this.format = formatOf(type);
    if (main.type.startsWith('http://purl.oclc.org/'))
      throw new OfficeFault(`is Strict Open XML: save it as an ordinary ${this.format} file`);
    if (this.names().some((name) => /(?:^|\/)vbaProject/i.test(name))) throw macros(this.format);
  }

  names(): string[] {
    return [...this.#parts.keys()];
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  bytes(name: string): Uint8Array {
    const bytes = this.#parts.get(name);
    if (!bytes) throw new OfficeFault(`is damaged: the part ${name} is missing`);
    return bytes;
  }

  /** Returns whether the text of a part matches. A text in UTF-16 always may. */
  mayContain(name: string, pattern: RegExp): boolean {
    const bytes = this.bytes(name);
    return isUtf16(bytes) || pattern.test(new TextDecoder().decode(bytes));
  }

  /** Reads a part of XML, with the prefixes by which this package knows namespaces. @throws {OfficeFault} */
  read(name: string): TreeElement {
    return this.#read(name, PREFIXES[this.format]);
  }

  #read(name: string, prefixes: ReadonlyMap<string, string>): TreeElement {
    const bytes = this.bytes(name);
    try {
      const encoding = isUtf16(bytes) ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
      const decoder = new TextDecoder(encoding, { fatal: true });
      return readTree(decoder.decode(bytes), prefixes);
    } catch (error) {
      if (error instanceof XmlFault) throw new OfficeFault(`has a part ${name} that ${error.message}`);
      if (error instanceof TypeError) throw new OfficeFault(`has a part ${name} that is not UTF-8`);
      throw error;
    }
  }

  write(name: string, tree: TreeElement): void {
    this.writeText(name, writeTree(tree));
  }

  /** Writes a part of XML without its declaration. */
  writeText(name: string, xml: string): void {
    this.#parts.set(
      name,
      new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`),
    );
  }

  /** Adds a part with the media type of its name. */
  add(name: string, content: Uint8Array | string, type: string): void {
    if (typeof content === 'string') this.writeText(name, content);
    else this.#parts.set(name, content);
    const attributes = new Map([
      ['PartName', `/${name}`],
      ['ContentType', type],
    ]);
    this.#types.children.push({ name: 'Override', attributes, children: [] });
  }

  /** Deletes a part and its relationships. The relationships of other parts with it stay. */
  delete(name: string): void {
    this.#parts.delete(name);
    this.#parts.delete(relationshipsName(name));
    this.#relationships.delete(name);
    this.#types.children = this.#types.children.filter(
      (child) => typeof child === 'string' || child.attributes.get('PartName') !== `/${name}`,
    );
  }

  /** Returns the media type of a part. */
  typeOf(name: string): string {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    let byExtension = '';
    for (const { name: kind, attributes } of elementsOf(this.#types)) {
      const type = attributes.get('ContentType') ?? '';
      if (kind === 'Override' && attributes.get('PartName')?.toLowerCase() === `/${name}`.toLowerCase())
        return type;
      if (kind === 'Default' && attributes.get('Extension')?.toLowerCase() === extension) byExtension = type;
    }
    return byExtension;
  }

  /** Returns the relationships of a part, or of the package for an empty name. */
  relationships(part: string): readonly Relationship[] {
    return this.#relationshipsOf(part);
  }

  #relationshipsOf(part: string): Relationship[] {
    const known = this.#relationships.get(part);
    if (known) return known;
    const name = relationshipsName(part);
    const tree = this.#parts.has(name) ? this.#read(name, new Map([[RELATIONSHIPS, '']])) : undefined;
    const found = tree ? elementsOf(tree).map((element) => readRelationship(element, part)) : [];
    this.#relationships.set(part, found);
    return found;
  }

  /** Finds the part to which a relationship leads. */
  target(part: string, id: string | undefined): string | undefined {
    const found = this.relationships(part).find((relationship) => relationship.id === id);
    return found && !found.isExternal ? found.target : undefined;
  }

  /** Adds a relationship and returns its id. */
  relate(part: string, kind: string, target: string): string {
    const relationships = this.#relationshipsOf(part);
    const taken = new Set(relationships.map(({ id }) => id));
    let number = relationships.length + 1;
    while (taken.has(`rIdPlaten${number}`)) number += 1;
    const id = `rIdPlaten${number}`;
    this.setRelationships(part, [
      ...relationships,
      { id, kind, type: `${OFFICE_RELATIONSHIPS}/${kind}`, target, isExternal: false },
    ]);
    return id;
  }

  setRelationships(part: string, relationships: readonly Relationship[]): void {
    this.#relationships.set(part, [...relationships]);
    const lines = relationships.map(
      ({ id, type, target, isExternal }) =>
        `<Relationship Id="${encodeXml(id)}" Type="${encodeXml(type)}" Target="${encodeXml(
          isExternal ? target : `/${target}`,
        )}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    );
    this.writeText(
      relationshipsName(part),
      `<Relationships xmlns="${RELATIONSHIPS}">${lines.join('')}</Relationships>`,
    );
  }

  /** Packs the parts. */
  toFile(): Uint8Array {
    this.write(CONTENT_TYPES_PART, this.#types);
    return pack(new Map([[CONTENT_TYPES_PART, this.bytes(CONTENT_TYPES_PART)], ...this.#parts]));
  }
}

function isUtf16([first]: Uint8Array): boolean {
  return first === 0xff || first === 0xfe;
}

function formatOf(type: string): OfficeFormat {
  const found = MAIN_TYPES.find(([pattern]) => pattern.test(type))?.[1];
  if (found) return found;
  if (/macroEnabled/i.test(type))
    throw macros(/word/i.test(type) ? 'docx' : /excel|sheet/i.test(type) ? 'xlsx' : 'pptx');
  if (/template|slideshow/i.test(type))
    throw new OfficeFault('is a template or a show of an office program: save it as docx, xlsx or pptx');
  throw new OfficeFault('is not a docx, xlsx or pptx file');
}

function macros(format: OfficeFormat): OfficeFault {
  return new OfficeFault(`has macros, which are not accepted: save it as ${format}`);
}

function relationshipsName(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

function readRelationship({ attributes }: TreeElement, part: string): Relationship {
  const value = (name: string) => decodeXml(attributes.get(name) ?? '');
  const type = value('Type');
  const isExternal = !['', 'Internal'].includes(value('TargetMode').trim());
  const target = value('Target');
  const kind = type.slice(type.lastIndexOf('/') + 1);
  return { id: value('Id'), kind, type, target: isExternal ? target : resolve(part, target), isExternal };
}

/** Returns the name of the part to which a target leads from another part. */
function resolve(part: string, target: string): string {
  const steps = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of target.split('/'))
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  return steps.join('/');
}
