import { Dict, resolve, type PdfObject } from '@platen/pdf/objects';
import { FILLING, type ChangeLog } from './change-log.ts';
import { matchLists } from './sequences.ts';
import { hasValue, joinName } from './signature-fields.ts';

/** The maximum number of levels of fields. */
export const MAX_FIELD_DEPTH = 32;

/** Entries of fields that name pages, annotations, fields or the catalog. */
const LINKS = new Set(['Parent', 'P', 'A', 'AA', 'Lock', 'SV', 'V']);
/** Entries that filling in a field changes. */
const VALUES = ['V', 'I', 'RV'];
/** Entries that show the value. */
const APPEARANCES = ['AP', 'AS'];
const FILLED = new Set([...VALUES, ...APPEARANCES, 'M']);
/** Types of fields that a reader fills in. */
const FILLABLE = new Set(['Tx', 'Ch', 'Btn']);
// ISO 32000-1 tables 165, 221 and 226.
const INVISIBLE = 1;
const HIDDEN = 1 << 1;
const PRINT = 1 << 2;
const NO_VIEW = 1 << 5;
const LOCKED = 1 << 7;
const READ_ONLY = 1;
const PUSH_BUTTON = 1 << 16;

/** Attributes that a field passes on to the fields and widgets below it. */
interface Inherited {
  /** The field of the signed revision. It is `undefined` above the top level. */
  field: Dict | undefined;
  name: string;
  type: string | undefined;
  flags: number;
  hasValue: boolean;
  /** Whether the value changed, so that the appearances may change too. */
  isFilled: boolean;
  depth: number;
}

const TOP: Inherited = {
  field: undefined,
  name: '',
  type: undefined,
  flags: 0,
  hasValue: false,
  isFilled: false,
  depth: 0,
};

/** Compares the fields of two revisions. */
export function compareFields(before: Dict, after: Dict, log: ChangeLog): void {
  for (const each of before.array('CO') ?? []) {
    const field = resolve(each);
    if (field instanceof Dict && field.dict('AA')?.map.has('C')) log.calculatedFields.add(field);
  }
  compareLists([before.raw('Fields'), after.raw('Fields')], TOP, log);
}

function compareLists(
  [before, after]: readonly [PdfObject | undefined, PdfObject | undefined],
  parent: Inherited,
  log: ChangeLog,
): void {
  if (parent.depth > MAX_FIELD_DEPTH || log.remainingFields <= 0)
    return log.report('the form has too many fields or levels to be compared');
  const [old, now] = [itemsOf(before), itemsOf(after)];
  if (!old || !now) {
    if (!log.contents.areEqual(before, after)) log.report('the form changed after signing');
    return;
  }
  const { pairs, added, isComplete } = matchLists(old, now);
  log.remainingFields -= pairs.length;
  if (!isComplete) log.report(`${describe(parent.name)} was removed or moved after signing`);
  for (const [a, b] of pairs) {
    const [field, other] = [resolve(a), resolve(b)];
    if (field instanceof Dict && other instanceof Dict) compareField(field, other, { parent, log });
    else if (!log.contents.areEqual(a, b)) log.report(`${describe(parent.name)} changed after signing`);
  }
  for (const each of added) addField(resolve(each), parent.name, log);
}

function itemsOf(list: PdfObject | undefined): PdfObject[] | undefined {
  const items = resolve(list) ?? [];
  return Array.isArray(items) ? items : undefined;
}

function describe(parent: string): string {
  return parent === '' ? 'a form field' : `a part of the field ${parent}`;
}

/** Checks that a new field is the field of a signature. */
function addField(field: PdfObject | undefined, parent: string, log: ChangeLog): void {
  if (!(field instanceof Dict)) return log.report(`${describe(parent)} was added after signing`);
  const name = joinName(parent, field);
  if (field.name('FT') !== 'Sig') return log.report(`the field ${name} was added after signing`);
  const parts = withKids(field);
  for (const each of parts) {
    if (each.map.has('A') || each.map.has('AA'))
      log.report(`the field ${name} with an action was added after signing`);
    const isWidget = each.name('Subtype') === 'Widget';
    const isNode = each === field && parts.length > 1 && !each.map.has('Subtype');
    if (!(isWidget || isNode) || (each !== field && each.map.has('Kids')))
      log.report(`the field ${name} with other annotations than widgets was added after signing`);
    log.newWidgets.add(each);
    log.changedAnnotations.add(each);
  }
  // Anyone can get a timestamp, so its field may not show anything.
  if (isTimestamp(field) && !parts.every(isInvisible))
    log.report(`the visible document timestamp ${name} was added after signing`);
  requireSignature(field, name, log);
}

function isTimestamp(field: Dict): boolean {
  return field.dict('V')?.name('Type') === 'DocTimeStamp';
}

/**
 * Requires that a field has a signature that was made later and covers the field. A document timestamp is
 * always permitted if it is invisible. Other signatures need the level for filling in forms.
 */
function requireSignature(field: Dict, name: string, log: ChangeLog): void {
  const end = log.signature.endOf(field);
  if (end === undefined)
    return log.report(`the field ${name} without a signature was added or changed after signing`);
  if (end !== 0 && end <= log.signature.end)
    return log.report(`the field ${name} was added or changed after signing, with an earlier signature`);
  if (isTimestamp(field) && withKids(field).every(isInvisible)) {
    log.hasNewTimestamp = true;
    return;
  }
  log.require(FILLING, `the signature field ${name} was added or signed`);
}

function compareField(old: Dict, now: Dict, { parent, log }: { parent: Inherited; log: ChangeLog }): void {
  const name = joinName(parent.name, old);
  const type = old.name('FT') ?? parent.type;
  const changed = new Set(log.differences(old, now, { links: LINKS, except: new Set(['Kids']) }));
  const own: Inherited = {
    field: old,
    name,
    type,
    flags: old.number('Ff') ?? parent.flags,
    hasValue: hasValue(now) || parent.hasValue,
    isFilled: parent.isFilled && isMereWidget(old, parent.field),
    depth: parent.depth + 1,
  };
  if (type === 'Sig') compareSignatureField(old, now, { own, changed, log });
  else compareOtherField(old, now, { own, changed, log });
  for (const key of changed) log.report(`the field ${name} changed after signing (${key})`);
  compareLists([old.raw('Kids'), now.raw('Kids')], own, log);
}

/** Tells whether a kid of a field only shows the field's value, and is not a field of its own. */
function isMereWidget(kid: Dict, field: Dict | undefined): boolean {
  return !kid.map.has('T') && !kid.map.has('FT') && kid.dict('Parent') === field;
}

interface FieldChange {
  own: Inherited;
  /** The entries that differ. Permitted ones are removed. */
  changed: Set<string>;
  log: ChangeLog;
}

function compareSignatureField(old: Dict, now: Dict, { own, changed, log }: FieldChange): void {
  const isSigned = !hasValue(old) && now.dict('V') !== undefined;
  if (isSigned) {
    own.isFilled = true;
    requireSignature(now, own.name, log);
  } else if (hasValue(old)) own.isFilled = false;
  if (!own.isFilled) return;
  if (isSigned) changed.delete('V');
  changed.delete('M');
  if (now.name('Subtype') !== 'Widget') return;
  for (const key of APPEARANCES) changed.delete(key);
  if (isFlagOfSigning(old.number('F') ?? 0, now.raw('F'))) changed.delete('F');
  log.changedAnnotations.add(now);
}

/**
 * Tells whether flags differ as signing changes them: a signed field is shown, printed and locked (ISO
 * 32000-1 12.7.4.5).
 */
function isFlagOfSigning(before: number, after: PdfObject | undefined): boolean {
  if (typeof after !== 'number') return false;
  const [set, cleared] = [after & ~before, before & ~after];
  return (set & ~(PRINT | LOCKED)) === 0 && (cleared & ~(INVISIBLE | HIDDEN | NO_VIEW)) === 0;
}

function compareOtherField(old: Dict, now: Dict, { own, changed, log }: FieldChange): void {
  const { name, type } = own;
  const isButton = type === 'Btn';
  // A reader changes a read-only field only by calculating it.
  const isFixed = (own.flags & READ_ONLY) !== 0 && !log.calculatedFields.has(old);
  const isFillable =
    type !== undefined && FILLABLE.has(type) && !isFixed && !(isButton && (own.flags & PUSH_BUTTON) !== 0);
  // A reader can show a value that was not visible before.
  const isFirst = APPEARANCES.some((key) => !old.map.has(key) && now.map.has(key)) && own.hasValue;
  if (isFillable && (VALUES.some((key) => changed.has(key)) || (isFirst && !own.isFilled))) {
    own.isFilled = true;
    log.require(FILLING, `the field ${name} was filled in`);
  }
  if (own.isFilled && [...FILLED].some((key) => changed.has(key)) && log.permitted.locks(name))
    log.report(`the field ${name} changed after signing, but the signature locks it`);
  // A later signature can lock the field.
  if (
    changed.has('Ff') &&
    ((now.number('Ff') ?? 0) ^ (old.number('Ff') ?? 0)) === READ_ONLY &&
    (now.number('Ff') ?? 0) & READ_ONLY
  ) {
    changed.delete('Ff');
    log.require(FILLING, `the field ${name} was locked`);
  }
  if (own.isFilled) {
    const isWidget = now.name('Subtype') === 'Widget';
    // The value of a button chooses one of its appearances.
    const isRedrawn = changed.has('AP') && isButton && old.map.has('AP');
    for (const key of FILLED)
      if (isWidget ? !(key === 'AP' && isRedrawn) : !APPEARANCES.includes(key)) changed.delete(key);
    if (isWidget) {
      log.changedAnnotations.add(now);
      // The box of a check box is often a character of the page.
      log.coveringWidgets.set(now, isButton ? 1 : 0);
    }
    log.filledFields.add(now);
  } else if (APPEARANCES.some((key) => changed.has(key))) {
    for (const key of APPEARANCES) changed.delete(key);
    log.report(`the appearance of the field ${name} changed after signing, but not its value`);
  }
}

/** Returns a field and its widgets. */
function withKids(field: Dict): Dict[] {
  const kids = (field.array('Kids') ?? []).map((kid) => resolve(kid));
  return [field, ...kids.filter((kid) => kid instanceof Dict)];
}

/**
 * Tells whether a field is not a widget, or a widget whose rectangle has no area. Some readers show a widget
 * without a rectangle.
 */
function isInvisible(field: Dict): boolean {
  const box = field.array('Rect')?.map((each) => resolve(each));
  if (box === undefined) return field.name('Subtype') !== 'Widget';
  const isBox = box.length === 4 && box.every((side) => typeof side === 'number');
  return isBox && (box[0] === box[2] || box[1] === box[3]);
}
