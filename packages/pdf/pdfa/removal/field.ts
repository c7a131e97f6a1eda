import { Dict, name, resolve, type PdfObject } from '../../objects/index.ts';

const MAX_PARENTS = 64;

/** Finds an entry that a field takes from those above it. */
export function inherited(field: Dict, key: string): PdfObject | undefined {
  let dict: Dict | undefined = field;
  for (let step = 0; dict && step < MAX_PARENTS; step++) {
    const value = dict.raw(key);
    if (value !== undefined) return value;
    dict = dict.dict('Parent');
  }
  return undefined;
}

/** The dictionary of a form as large as a widget, with its corner at the origin. */
export function formDict(widget: Dict): Dict {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (widget.array('Rect') ?? []).map(
    (item) => Number(resolve(item)) || 0,
  );
  return Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [0, 0, Math.abs(x2 - x1), Math.abs(y2 - y1)],
    Resources: new Dict(),
  });
}
