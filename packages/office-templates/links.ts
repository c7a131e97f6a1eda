import { decodeXml } from '@platen/xml';
import { OfficeFault, quote } from './fault.ts';
import type { OfficePackage } from './opc.ts';
import { rawText, walk } from './tree.ts';

/** Fields of Word that load other files (ISO/IEC 29500-1, 17.16.5). */
const LOADING_FIELD = /^\s{0,20}(INCLUDEPICTURE|INCLUDETEXT|IMPORT|DDE|DDEAUTO|LINK|DATABASE|RD)\b/i;

/** Functions of spreadsheets that load other files or call other programs. */
const LOADING_FUNCTION = /\b(WEBSERVICE|DDE|RTD|IMAGE|STOCKHISTORY)\s?\(/i;

/**
 * Makes a file independent of other files: links to a template and to other workbooks lead nowhere.
 * Hyperlinks stay.
 * @throws {OfficeFault} for a file that shows the content of other files, such as linked images
 */
export function isolate(file: OfficePackage): void {
  for (const name of file.names().filter((each) => each.endsWith('.rels'))) {
    const part = name.replace('_rels/', '').replace(/\.rels$/, '');
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

/** Rejects fields and functions that load other files. @throws {OfficeFault} */
export function requireNoLoading(file: OfficePackage): void {
  for (const name of file.names()) {
    if (!/^(?:word|xl)\/.*\.xml$/.test(name)) continue;
    const bytes = file.bytes(name);
    const text = new TextDecoder().decode(bytes);
    if (file.format === 'docx' ? !text.includes('instr') : !/<(?:\w{1,20}:)?f[ >]/.test(text)) continue;
    let field = '';
    walk(file.read(name), (each) => {
      if (each.name === 'w:instrText') field += decodeXml(rawText(each));
      else if (each.name === 'w:fldSimple')
        requireHarmless(decodeXml(each.attributes.get('w:instr') ?? ''), name);
      else if (each.name === 'w:fldChar') {
        requireHarmless(field, name);
        field = '';
      } else if (each.name === 'f') {
        const [, found] = LOADING_FUNCTION.exec(decodeXml(rawText(each))) ?? [];
        if (found !== undefined)
          throw new OfficeFault(
            `calls the function ${found.toUpperCase()} in ${name}, which loads other files`,
          );
      }
    });
    requireHarmless(field, name);
  }
}

function requireHarmless(instruction: string, part: string): void {
  const [, found] = LOADING_FIELD.exec(instruction) ?? [];
  if (found !== undefined)
    throw new OfficeFault(
      `has the field ${found.toUpperCase()} in ${part}, which loads another file: embed it`,
    );
}
