import { Dict, name, Ref, resolve } from '../../objects/index.ts';

/** The resource names of fonts for default appearances. */
export interface FormFonts {
  /** Helvetica, for text. */
  text: string;
  /** ZapfDingbats, for check marks. */
  marks: string;
}

const FONTS = {
  text: { wanted: 'Helv', base: 'Helvetica', encoding: 'WinAnsiEncoding' },
  marks: { wanted: 'ZaDb', base: 'ZapfDingbats', encoding: undefined },
} as const;

/**
 * Finds the default text and mark fonts in a form's resources, or adds them. Returns the resources if they
 * changed.
 */
export function withFonts(form: Dict): { fonts: FormFonts; resources: Dict | undefined } {
  const resources = form.dict('DR')?.copy() ?? new Dict();
  const known = resources.dict('Font') ?? new Dict();
  const added = new Map<string, Ref>();
  const nameOf = ({ wanted, base, encoding }: (typeof FONTS)[keyof typeof FONTS]): string => {
    const isFree = (key: string) => !known.map.has(key) && !added.has(key);
    let key: string = wanted;
    for (let count = 2; !isFree(key); count++) {
      const font = known.dict(key);
      const sameEncoding = encoding === undefined || resolve(font?.raw('Encoding')) !== undefined;
      if (font?.name('BaseFont') === base && sameEncoding) return key;
      key = `${wanted}${count}`;
    }
    const font = Dict.of({
      Type: name('Font'),
      Subtype: name('Type1'),
      BaseFont: name(base),
      Encoding: encoding && name(encoding),
    });
    added.set(key, Ref.to(font));
    return key;
  };
  const fonts = { text: nameOf(FONTS.text), marks: nameOf(FONTS.marks) };
  if (added.size === 0) return { fonts, resources: undefined };
  return { fonts, resources: resources.set('Font', new Dict([...known.map, ...added])) };
}
