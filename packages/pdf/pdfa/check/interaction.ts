import {
  asDict,
  Dict,
  PdfStream,
  readNameTree,
  resolve,
  type PdfObject,
  eachField,
} from '../../objects/index.ts';
import { isAllowedAction } from '../removal/actions.ts';
import { ALLOWED_ANNOTATIONS } from '../removal/annotations.ts';
import type { CheckContext, Findings } from './findings.ts';

const FORBIDDEN_FLAGS = 1 | 2 | 32;
const PRINT = 4;

/** Checks interactive features: embedded files, optional content, annotations, actions and forms (6.1.11, 6.1.13, 6.5, 6.6, 6.9). */
export function checkInteraction({ document, pages, findings }: CheckContext): void {
  const { catalog } = document;
  const names = catalog.dict('Names');
  findings.expect(!names?.map.has('EmbeddedFiles'), '6.1.11', 'the document has embedded files');
  findings.expect(!catalog.map.has('OCProperties'), '6.1.13', 'the document has optional content');
  findings.expect(!catalog.map.has('AA'), '6.6.2', 'the catalog has additional actions');
  findings.expect(
    readNameTree(names?.dict('JavaScript')).length === 0,
    '6.6.1',
    'the document has JavaScript actions',
  );
  if (!Array.isArray(catalog.get('OpenAction'))) checkActions(catalog.raw('OpenAction'), findings);
  checkOutline(catalog.dict('Outlines'), findings);
  for (const page of pages) {
    const triggers = page.dict('AA');
    for (const action of triggers?.map.values() ?? []) checkActions(action, findings);
    for (const annotation of page.array('Annots') ?? []) {
      const dict = asDict(annotation);
      if (dict) checkAnnotation(dict, findings);
    }
  }
  checkForm(catalog.dict('AcroForm'), findings);
}

function checkActions(action: PdfObject | undefined, findings: Findings, seen = new Set<Dict>()): void {
  const dict = resolve(action);
  if (!(dict instanceof Dict) || seen.has(dict)) return;
  seen.add(dict);
  findings.expect(isAllowedAction(dict), '6.6.1', `an action ${typeOf(dict.name('S'))} is not allowed`);
  const next = dict.get('Next');
  for (const following of Array.isArray(next) ? next : [dict.raw('Next')])
    checkActions(following, findings, seen);
}

function checkOutline(root: Dict | undefined, findings: Findings): void {
  const seen = new Set<Dict>();
  const waiting = [root];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (!item || seen.has(item)) continue;
    seen.add(item);
    checkActions(item.raw('A'), findings);
    waiting.push(item.dict('First'), item.dict('Next'));
  }
}

function checkAnnotation(annotation: Dict, findings: Findings): void {
  const type = annotation.name('Subtype');
  findings.expect(
    ALLOWED_ANNOTATIONS.has(type ?? ''),
    '6.5.2',
    `an annotation ${typeOf(type)} is not allowed`,
  );
  const opacity = annotation.number('CA');
  findings.expect(
    opacity === undefined || opacity === 1,
    '6.5.3',
    'an annotation has an opacity other than 1',
  );
  const flags = annotation.number('F') ?? 0;
  findings.expect(
    (flags & PRINT) !== 0 && (flags & FORBIDDEN_FLAGS) === 0,
    '6.5.3',
    'an annotation is hidden or not printed',
  );
  checkActions(annotation.raw('A'), findings);
  for (const action of annotation.dict('AA')?.map.values() ?? []) checkActions(action, findings);
  const appearances = annotation.dict('AP');
  if (type === 'Widget') {
    findings.expect(!annotation.map.has('A'), '6.6.1', 'a form field has an action');
    findings.expect(!annotation.map.has('AA'), '6.6.2', 'a form field has additional actions');
    findings.expect(appearances !== undefined, '6.9', 'a form field has no appearance');
  }
  if (!appearances) return;
  findings.expect(
    appearances.map.size === 1 && appearances.map.has('N'),
    '6.5.3',
    'an annotation has an appearance other than the normal one',
  );
  const normal = appearances.get('N');
  const isButton = type === 'Widget' && fieldType(annotation) === 'Btn';
  const hasStates = normal instanceof Dict && normal.map.size > 0;
  findings.expect(
    isButton ? hasStates : normal instanceof PdfStream,
    '6.5.3',
    'the normal appearance of an annotation is not of the required type',
  );
}

function typeOf(name: string | undefined): string {
  return name === undefined ? 'without a type' : `of type ${name}`;
}

function fieldType(field: Dict): string | undefined {
  let dict: Dict | undefined = field;
  for (let step = 0; dict && step < 64; step++) {
    const type = dict.name('FT');
    if (type !== undefined) return type;
    dict = dict.dict('Parent');
  }
  return undefined;
}

function checkForm(form: Dict | undefined, findings: Findings): void {
  if (!form) return;
  findings.expect(form.get('NeedAppearances') !== true, '6.9', 'the form sets NeedAppearances');
  findings.expect(!form.map.has('XFA'), '6.9', 'the form has XFA data');
  eachField(form.array('Fields') ?? [], (field) => {
    findings.expect(!field.map.has('AA'), '6.6.2', 'a form field has additional actions');
  });
}
