import { decodeXml, type TreeElement } from '@platen/xml';
import { OfficeFault, quote } from './fault.ts';
import type { OfficePackage } from './opc.ts';
import { rawText, walk } from './tree.ts';

/** Fields of Word that load other files (ISO/IEC 29500-1, 17.16.5). */
const LOADING_FIELD = /^(INCLUDEPICTURE|INCLUDETEXT|IMPORT|DDE|DDEAUTO|LINK|DATABASE|RD)\b/i;

/** Functions of spreadsheets that load other files or call other programs. */
const LOADING_FUNCTION = /\b(WEBSERVICE|DDE|RTD|IMAGE|STOCKHISTORY)\s?\(/i;

/** The elements of spreadsheets that contain a formula, in any namespace. */
const FORMULAS = new Set([
  'f',
  'formula',
  'formula1',
  'formula2',
  'definedName',
  'calculatedColumnFormula',
  'totalsRowFormula',
]);
/** The elements of spreadsheets that take values from other programs. */
const PROGRAM_LINKS = new Set(['ddeLink', 'oleLink']);
const MAY_LOAD = {
  docx: /instr/,
  xlsx: /[<:](?:f|formula[12]?|definedName|calculatedColumnFormula|totalsRowFormula|ddeLink|oleLink)[\s>]/,
  pptx: /(?!)/,
} as const;

/**
 * Makes a file independent of other files: links to a template and to other workbooks lead nowhere.
 * Hyperlinks stay.
 * @throws {OfficeFault} for a file that shows the content of other files, such as linked images
 */
export function isolate(file: OfficePackage): void {
  for (const name of file.names().filter((each) => each.toLowerCase().endsWith('.rels'))) {
    const part = partOf(name);
    const relationships = file.relationships(part);
    if (relationships.every(({ isExternal, kind }) => !isExternal && kind !== 'aFChunk')) continue;
    const changed = relationships.map((relationship) => {
      const { kind, isExternal, target } = relationship;
      if (kind === 'aFChunk')
        throw new OfficeFault(`has another document in it (altChunk in ${part}), which is not accepted`);
      if (!isExternal || kind === 'hyperlink') return relationship;
      if (
        kind === 'attachedTemplate' ||
        kind === 'externalLinkPath' ||
        kind === 'xlExternalLinkPath/xlPathMissing'
      )
        return { ...relationship, target: 'about:blank' };
      throw new OfficeFault(
        `has a link of the kind ${quote(kind)} to ${quote(target)} in ${part}; nothing is loaded from other places: embed it`,
      );
    });
    file.setRelationships(part, changed);
  }
}

/** Returns the part to which a part with relationships belongs. @throws {OfficeFault} */
function partOf(name: string): string {
  const [, folder = '', part] = /^(|.*\/)_rels\/([^/]*)\.rels$/s.exec(name) ?? [];
  // Office programs take names that differ in case for the same.
  if (part === undefined) throw new OfficeFault(`has a part ${name}, whose name is only for relationships`);
  return folder + part;
}

/** Rejects fields and functions that load other files. @throws {OfficeFault} */
export function requireNoLoading(file: OfficePackage): void {
  for (const name of file.names()) {
    if (!file.typeOf(name).endsWith('xml') || !file.mayContain(name, MAY_LOAD[file.format])) continue;
    let field = '';
    walk(file.read(name), (each) => {
      if (each.name === 'w:instrText') field += decodeXml(rawText(each));
      else if (each.name === 'w:fldSimple')
        requireHarmless(decodeXml(each.attributes.get('w:instr') ?? ''), name);
      else if (each.name === 'w:fldChar') {
        requireHarmless(field, name);
        field = '';
      } else if (file.format === 'xlsx') requireHarmlessElement(each, name);
    });
    requireHarmless(field, name);
  }
}

function requireHarmlessElement(element: TreeElement, part: string): void {
  const name = element.name.slice(element.name.indexOf(':') + 1);
  if (PROGRAM_LINKS.has(name))
    throw new OfficeFault(`has a link to another program (${name}) in ${part}, which is not accepted`);
  if (!FORMULAS.has(name)) return;
  const [, found] = LOADING_FUNCTION.exec(decodeXml(rawText(element))) ?? [];
  if (found !== undefined)
    throw new OfficeFault(`calls the function ${found.toUpperCase()} in ${part}, which loads other files`);
}

function requireHarmless(instruction: string, part: string): void {
  const [, found] = LOADING_FIELD.exec(instruction.trimStart()) ?? [];
  if (found !== undefined)
    throw new OfficeFault(
      `has the field ${found.toUpperCase()} in ${part}, which loads another file: embed it`,
    );
}
