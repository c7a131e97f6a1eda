import {
  Dict,
  Name,
  name,
  PdfStream,
  PdfString,
  Ref,
  resolve,
  type Direct,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';

/** The names and numbers of a document that change in the merged document. */
export interface Adjustment {
  /** New names of named destinations, as Latin-1 strings. */
  destinations: ReadonlyMap<string, string>;
  /** The offset added to keys of the structure's parent tree. */
  parentShift?: number;
  roles?: ReadonlyMap<string, string>;
  classes?: ReadonlyMap<string, string>;
  /** Whether to remove all references to the structure. */
  withoutStructure?: boolean;
}

/** Applies the changes in place to all objects reachable from a document's catalog. */
export function adjust(document: PdfDocument, adjustment: Adjustment): void {
  const { destinations, parentShift = 0, roles, classes } = adjustment;
  const renames = destinations.size > 0 || parentShift > 0 || !!roles?.size || !!classes?.size;
  if (!renames && !adjustment.withoutStructure) return;
  const seen = new Set<Ref>();
  const waiting: Direct[] = [document.catalog];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop())
    visit(
      value,
      (dict) => rename(dict, adjustment),
      (ref) => {
        if (seen.has(ref)) return;
        seen.add(ref);
        waiting.push(ref.value);
      },
    );
}

function visit(object: PdfObject, onDict: (dict: Dict) => void, onRef: (ref: Ref) => void): void {
  if (object instanceof Ref) onRef(object);
  else if (Array.isArray(object)) for (const item of object) visit(item, onDict, onRef);
  else if (object instanceof Dict || object instanceof PdfStream) {
    const dict = object instanceof Dict ? object : object.dict;
    onDict(dict);
    for (const value of dict.map.values()) visit(value, onDict, onRef);
  }
}

function rename(
  dict: Dict,
  { destinations, parentShift = 0, roles, classes, withoutStructure }: Adjustment,
): void {
  // These keys occur in outline items, actions, pages and annotations.
  if (withoutStructure) dict.delete('SE', 'SD', 'StructParent', 'StructParents');
  if (destinations.size > 0) {
    if (dict.map.has('Dest')) renameDestination(dict, 'Dest', destinations);
    if (dict.map.has('D') && dict.name('S') === 'GoTo') renameDestination(dict, 'D', destinations);
  }
  if (parentShift > 0) {
    for (const key of ['StructParent', 'StructParents']) {
      const value = dict.number(key);
      if (value !== undefined) dict.set(key, value + parentShift);
    }
  }
  if (roles?.size && isElement(dict)) {
    const role = roles.get(dict.name('S') ?? '');
    if (role !== undefined) dict.set('S', name(role));
  }
  if (classes?.size && isElement(dict) && dict.map.has('C')) {
    const classNames = dict.get('C');
    const renamed = (item: PdfObject | undefined) => {
      const value = resolve(item) ?? null;
      return value instanceof Name ? name(classes.get(value.value) ?? value.value) : value;
    };
    if (Array.isArray(classNames)) dict.set('C', classNames.map(renamed));
    else if (classNames instanceof Name) dict.set('C', renamed(classNames));
  }
}

/** Tells whether a dictionary is a structure element. Its `Type` is optional. */
function isElement(dict: Dict): boolean {
  return dict.name('Type') === 'StructElem' || (dict.map.has('P') && dict.map.has('S') && dict.map.has('K'));
}

function renameDestination(dict: Dict, key: string, destinations: ReadonlyMap<string, string>): void {
  const value = dict.get(key);
  const oldName = value instanceof Name ? value.value : value instanceof PdfString ? value.key : undefined;
  const renamed = oldName === undefined ? undefined : destinations.get(oldName);
  if (renamed === undefined) return;
  dict.set(key, value instanceof Name ? name(renamed) : new PdfString(Buffer.from(renamed, 'latin1')));
}
