import {
  asDict,
  Dict,
  PdfStream,
  readNameTree,
  resolve,
  type PdfObject,
  eachField,
  fieldTypeOf,
  type PdfDocument,
} from '@platen/pdf/objects';
import { isAllowedAction } from './allowed-actions.ts';
import { needsAppearance } from '@platen/pdf';
import { listedLayers } from './listed-layers.ts';
import type { CheckContext, Findings } from './findings.ts';

/** The flags Invisible, Hidden and NoView. */
const FORBIDDEN_FLAGS = 1 | 2 | 32;
const PRINT = 4;
const TOGGLE_NO_VIEW = 256;

/**
 * Checks interactive features: embedded files, optional content, annotations, actions and forms (6.1.11,
 * 6.1.13, 6.5, 6.6, 6.9).
 */
export function checkInteraction({ document, pages, findings }: CheckContext): void {
  const { catalog } = document;
  const names = catalog.dict('Names');
  const { rules } = findings;
  findings.expect(
    rules.attachments !== 'none' || !names?.map.has('EmbeddedFiles'),
    'attachments',
    'the document has embedded files',
  );
  if (rules.layers) checkLayers(document, findings);
  else findings.expect(!catalog.map.has('OCProperties'), 'layers', 'the document has optional content');
  if (rules.part > 1) checkCatalog(catalog, findings);
  findings.expect(!catalog.map.has('AA'), 'triggers', 'the catalog has additional actions');
  findings.expect(
    readNameTree(names?.dict('JavaScript')).length === 0,
    'actions',
    'the document has JavaScript actions',
  );
  if (!Array.isArray(catalog.get('OpenAction'))) checkActions(catalog.raw('OpenAction'), findings);
  checkOutline(catalog.dict('Outlines'), findings);
  for (const page of pages) {
    const triggers = page.dict('AA');
    findings.expect(rules.part === 1 || !page.map.has('AA'), 'triggers', 'a page has additional actions');
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
  findings.expect(
    isAllowedAction(dict, findings.rules),
    'actions',
    `an action ${typeOf(dict.name('S'))} is not allowed`,
  );
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
  const { rules } = findings;
  findings.expect(
    rules.annotations.has(type ?? ''),
    'annotationTypes',
    `an annotation ${typeOf(type)} is not allowed`,
  );
  const opacity = annotation.number('CA');
  findings.expect(
    rules.transparency || opacity === undefined || opacity === 1,
    'annotations',
    'an annotation has an opacity other than 1',
  );
  const flags = annotation.number('F') ?? 0;
  const forbidden = rules.part === 1 ? FORBIDDEN_FLAGS : FORBIDDEN_FLAGS | TOGGLE_NO_VIEW;
  findings.expect(
    (rules.part > 1 && type === 'Popup' && !annotation.map.has('F')) ||
      ((flags & PRINT) !== 0 && (flags & forbidden) === 0),
    'annotations',
    'an annotation is hidden or not printed',
  );
  checkActions(annotation.raw('A'), findings);
  for (const action of annotation.dict('AA')?.map.values() ?? []) checkActions(action, findings);
  const appearances = annotation.dict('AP');
  if (type === 'Widget') {
    findings.expect(!annotation.map.has('A'), 'actions', 'a form field has an action');
    findings.expect(!annotation.map.has('AA'), 'triggers', 'a form field has additional actions');
    // Parts 2 and 3 require an appearance only of annotations with an area, such as visible fields.
    if (rules.part === 1)
      findings.expect(appearances !== undefined, 'forms', 'a form field has no appearance');
  }
  if (!appearances) {
    findings.expect(
      !rules.appearances || !needsAppearance(annotation),
      'appearances',
      'an annotation has no appearance',
    );
    return;
  }
  findings.expect(
    appearances.map.size === 1 && appearances.map.has('N'),
    'appearances',
    'an annotation has an appearance other than the normal one',
  );
  const normal = appearances.get('N');
  const isButton = type === 'Widget' && fieldTypeOf(annotation) === 'Btn';
  const hasStates = normal instanceof Dict && normal.map.size > 0;
  findings.expect(
    isButton ? hasStates : normal instanceof PdfStream,
    'appearances',
    'the normal appearance of an annotation is not of the required type',
  );
}

function typeOf(name: string | undefined): string {
  return name === undefined ? 'without a type' : `of type ${name}`;
}

/** Checks the configurations of layers (ISO 19005-2 6.9). */
function checkLayers({ catalog }: PdfDocument, findings: Findings): void {
  const properties = catalog.dict('OCProperties');
  if (!properties) return;
  const groups = properties.array('OCGs') ?? [];
  const names = new Set<string>();
  for (const object of [properties.raw('D') ?? null, ...(properties.array('Configs') ?? [])]) {
    const configuration = asDict(object);
    if (!configuration) continue;
    const name = configuration.string('Name')?.key ?? '';
    findings.expect(
      name !== '' && !names.has(name),
      'layers',
      'a configuration of layers has no unique name',
    );
    names.add(name);
    findings.expect(
      !configuration.map.has('AS'),
      'layers',
      'a configuration of layers changes them by usage',
    );
    const order = configuration.array('Order');
    const listed = order && listedLayers(order);
    findings.expect(
      !listed || groups.every((group) => listed.has(asDict(group) ?? new Dict())),
      'layers',
      'a configuration does not list every layer',
    );
  }
}

function checkCatalog(catalog: Dict, findings: Findings): void {
  findings.expect(
    !catalog.dict('Names')?.map.has('AlternatePresentations'),
    'presentations',
    'the document has alternate presentations',
  );
  findings.expect(
    !catalog.map.has('Requirements'),
    'requirements',
    'the document has requirements for readers',
  );
  findings.expect(
    catalog.get('NeedsRendering') !== true,
    'xfa',
    'the document can be rendered only from XFA',
  );
  for (const key of catalog.dict('Perms')?.map.keys() ?? [])
    findings.expect(key === 'UR3' || key === 'DocMDP', 'permissions', 'the document has unknown permissions');
  for (const reference of catalog.dict('Perms')?.dict('DocMDP')?.array('Reference') ?? [])
    findings.expect(
      !DIGEST_KEYS.some((key) => asDict(reference)?.map.has(key)),
      'permissions',
      'the certification of the document has a digest of the objects',
    );
}

const DIGEST_KEYS = ['DigestLocation', 'DigestMethod', 'DigestValue'];

function checkForm(form: Dict | undefined, findings: Findings): void {
  if (!form) return;
  findings.expect(form.get('NeedAppearances') !== true, 'forms', 'the form sets NeedAppearances');
  findings.expect(findings.rules.part === 1 || !form.map.has('XFA'), 'xfa', 'the form has XFA data');
  eachField(form.array('Fields') ?? [], (field) => {
    findings.expect(!field.map.has('AA'), 'triggers', 'a form field has additional actions');
  });
}
