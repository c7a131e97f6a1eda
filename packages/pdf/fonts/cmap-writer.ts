import { compressedStream, Dict, name, PdfString, type PdfObject, type Ref } from '../objects/index.ts';
import { splitKey } from './cmap.ts';

/** The maximum number of entries in a CMap section. */
const MAX_SECTION_ENTRIES = 100;

/** Writes a ToUnicode CMap (ISO 32000-1 9.10.3). Takes the texts by code key. */
export function writeToUnicode(texts: ReadonlyMap<number, string>): Ref {
  const lengths = new Set([...texts.keys()].map((key) => splitKey(key).length));
  const entries = [...texts].map(([key, text]) => `<${hexCode(key)}> <${hexText(text)}>`);
  const body = [
    header({ name: 'Adobe-Identity-UCS', registry: 'Adobe', ordering: 'UCS', vertical: false, type: 2 }),
    section(
      'codespacerange',
      [...lengths].map((length) => `<${'00'.repeat(length)}> <${'ff'.repeat(length)}>`),
    ),
    section('bfchar', entries),
    footer(),
  ];
  return compressedStream(Buffer.from(body.join(''), 'latin1'));
}

/** A mapping from codes to CIDs, for one character collection. */
interface CidMapping {
  /** CIDs by code key. */
  cids: ReadonlyMap<number, number>;
  codespaces: readonly { length: number; first: number; last: number }[];
  registry: string;
  ordering: string;
  supplement: number;
  vertical: boolean;
}

/** Writes an embedded CMap that maps codes to CIDs. */
export function writeCidMap({ cids, codespaces, ...about }: CidMapping): Ref {
  const entries: Record<string, PdfObject> = {
    Type: name('CMap'),
    CMapName: name(`Platen-${about.ordering}`),
    CIDSystemInfo: systemInfo(about),
    WMode: about.vertical ? 1 : 0,
  };
  const hex = (value: number, length: number): string => value.toString(16).padStart(2 * length, '0');
  const body = [
    header({ ...about, name: `Platen-${about.ordering}`, type: 1 }),
    section(
      'codespacerange',
      codespaces.map(({ first, last, length }) => `<${hex(first, length)}> <${hex(last, length)}>`),
    ),
    section(
      'cidchar',
      [...cids].map(([key, cid]) => `<${hexCode(key)}> ${cid}`),
    ),
    footer(),
  ];
  return compressedStream(Buffer.from(body.join(''), 'latin1'), entries);
}

/** Builds a CIDSystemInfo dictionary. */
export function systemInfo(about: { registry: string; ordering: string; supplement: number }): Dict {
  return Dict.of({
    Registry: new PdfString(Buffer.from(about.registry, 'latin1')),
    Ordering: new PdfString(Buffer.from(about.ordering, 'latin1')),
    Supplement: about.supplement,
  });
}

function header(about: {
  name: string;
  registry: string;
  ordering: string;
  supplement?: number;
  vertical: boolean;
  type: number;
}): string {
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo 3 dict dup begin
/Registry (${about.registry}) def
/Ordering (${about.ordering}) def
/Supplement ${about.supplement ?? 0} def
end def
/CMapName /${about.name} def
/CMapType ${about.type} def
/WMode ${about.vertical ? 1 : 0} def
`;
}

function footer(): string {
  return 'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n';
}

function section(kind: string, entries: readonly string[]): string {
  let text = '';
  for (let at = 0; at < entries.length; at += MAX_SECTION_ENTRIES) {
    const part = entries.slice(at, at + MAX_SECTION_ENTRIES);
    text += `${part.length} begin${kind}\n${part.join('\n')}\nend${kind}\n`;
  }
  return text;
}

function hexCode(key: number): string {
  const { value, length } = splitKey(key);
  return value.toString(16).padStart(2 * length, '0');
}

function hexText(text: string): string {
  // Decompose ligatures, so that readers can search for their letters.
  const letters = text.replaceAll(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'));
  return Buffer.from(letters, 'utf16le').swap16().toString('hex');
}
