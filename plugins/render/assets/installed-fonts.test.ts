import { expect, test } from 'bun:test';
import { facesOfFamily, parseFonts } from './installed-fonts.ts';

const line = (...fields: readonly string[]) => fields.join('\u001f');

test('the list of fontconfig becomes faces as CSS describes them', () => {
  const fonts = parseFonts(
    [
      line('Inter,Inter Thin', 'Thin,Regular', '45', '0', '100', 'Inter Thin', 'Inter-Thin'),
      line('Inter', 'Bold Italic', '200', '100', '100', 'Inter Bold Italic', 'Inter-BoldItalic'),
      line('Noto Sans', 'Condensed Oblique', '80', '110', '75', 'Noto Sans Condensed', ''),
      // A variable font has no name for `local()`; fontconfig also lists its instances.
      line('Varia', '', '[0 210]', '0', '100', '', ''),
      line('Liberation Sans', 'Regular', '80', '0', '100', 'Liberation Sans', 'LiberationSans'),
      '',
    ].join('\n'),
  );
  expect(facesOfFamily(fonts, 'INTER')).toEqual([
    { weight: '700', style: 'italic', stretch: '100%', names: ['Inter Bold Italic', 'Inter-BoldItalic'] },
    { weight: '100', style: 'normal', stretch: '100%', names: ['Inter Thin', 'Inter-Thin'] },
  ]);
  expect(facesOfFamily(fonts, 'Noto Sans')).toEqual([
    { weight: '400', style: 'oblique', stretch: '75%', names: ['Noto Sans Condensed'] },
  ]);
  expect(facesOfFamily(fonts, 'Varia')).toEqual([]);
  expect(facesOfFamily(fonts, 'Arial')).toEqual(facesOfFamily(fonts, 'Liberation Sans'));
  expect(facesOfFamily(fonts, 'Arial')).toHaveLength(1);
  expect(facesOfFamily(fonts, 'Mine')).toEqual([]);
});
