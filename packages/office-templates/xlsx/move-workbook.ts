import { decodeXml, encodeXml, type TreeElement } from '@platen/xml';
import type { OfficePackage } from '../opc.ts';
import { childOf, element, elementsOf, rawText, walk } from '../tree.ts';
import { moveReferences, type FilledSheet } from './references.ts';
import type { RowMap } from './row-map.ts';

/** The elements that follow `calcPr` in a workbook (ISO/IEC 29500-1, 18.2.27). */
const AFTER_CALCULATION = new Set(
  'oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst'.split(
    ' ',
  ),
);

/**
 * Moves the parts of a workbook that refer to rows: names, print areas and charts. Programs calculate all
 * formulas when they open the file.
 */
export function moveWorkbookParts(
  file: OfficePackage,
  workbook: TreeElement,
  { sheets, maps }: { sheets: readonly FilledSheet[]; maps: ReadonlyMap<string, RowMap> },
): void {
  const names = childOf(workbook, 'definedNames');
  const titles = childOf(workbook, 'sheets');
  for (const each of names ? elementsOf(names) : []) {
    const local = each.attributes.get('localSheetId');
    const sheet = local === undefined ? undefined : elementsOf(titles ?? element('sheets'))[Number(local)];
    const name = decodeXml(sheet?.attributes.get('name') ?? sheets[0]?.name ?? '');
    const text = decodeXml(rawText(each));
    each.children = [encodeXml(moveReferences(text, { name, path: [], maps, grows: true }))];
  }
  calculateOnLoad(workbook);
  file.write(file.main, workbook);
  const chain = file.relationships(file.main).find(({ kind }) => kind === 'calcChain');
  if (chain) {
    file.setRelationships(
      file.main,
      file.relationships(file.main).filter((each) => each !== chain),
    );
    file.delete(chain.target);
  }
  for (const part of file.names()) if (/^xl\/charts\/[^/]*\.xml$/.test(part)) moveChart(file, part, maps);
}

function calculateOnLoad(workbook: TreeElement): void {
  const known = childOf(workbook, 'calcPr');
  if (known) {
    known.attributes.set('fullCalcOnLoad', '1');
    return;
  }
  const index = workbook.children.findIndex(
    (child) => typeof child === 'object' && AFTER_CALCULATION.has(child.name),
  );
  workbook.children.splice(
    index < 0 ? workbook.children.length : index,
    0,
    element('calcPr', { fullCalcOnLoad: '1' }),
  );
}

/** Moves the ranges of a chart, and removes the values that it had. */
function moveChart(file: OfficePackage, part: string, maps: ReadonlyMap<string, RowMap>): void {
  const chart = file.read(part);
  walk(chart, (each) => {
    const formula = childOf(each, 'c:f');
    if (!formula) return;
    const text = decodeXml(rawText(formula));
    formula.children = [encodeXml(moveReferences(text, { name: '', path: [], maps, grows: true }))];
    each.children = each.children.filter(
      (child) => typeof child === 'string' || !/^c:(?:num|str|multiLvlStr)Cache$/.test(child.name),
    );
  });
  file.write(part, chart);
}
