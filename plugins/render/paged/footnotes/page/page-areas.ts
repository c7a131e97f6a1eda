import type { Paper } from '../../page/estimate-pages.ts';

/** The area of a printed page between its margins, in the pixels of the layout. */
export interface PageArea {
  width: number;
  height: number;
}

/** Returns the area of a page by its number, counted from 1, and its page name, which may be empty. */
export type AreaOf = (page: number, name: string) => PageArea;

export interface AreaSettings {
  /** The paper, unless `@page` in the document says otherwise. */
  paper: Paper;
  /** The size of the content relative to its CSS size. */
  scale: number;
}

/**
 * Reads the sizes and margins of `@page` rules as Chromium applies them: rules of later style sheets win,
 * then more specific ones. Chromium lays out on whole pixels, rounded up.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function readPageAreas({ paper, scale }: AreaSettings): AreaOf {
  const MM: Readonly<Record<string, readonly [number, number]>> = {
    a3: [297, 420],
    a4: [210, 297],
    a5: [148, 210],
    b4: [250, 353],
    b5: [176, 250],
    'jis-b4': [257, 364],
    'jis-b5': [182, 257],
    letter: [215.9, 279.4],
    legal: [215.9, 355.6],
    ledger: [279.4, 431.8],
  };
  const SIDES = ['top', 'right', 'bottom', 'left'] as const;
  const readDocument = <Name extends keyof Document>(property: Name): Document[Name] =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as Document[Name];

  /** Reads a length in pixels; `base` is 100 %. */
  const readLength = (text: string, base: number): number | undefined => {
    try {
      const value = CSSNumericValue.parse(text);
      if (value instanceof CSSUnitValue && value.unit === 'percent') return (value.value / 100) * base;
      if (value instanceof CSSUnitValue && value.unit === 'number') return value.value;
      if (value instanceof CSSUnitValue && /^r?em$/.test(value.unit)) return value.value * 16;
      return value.to('px').value;
    } catch {
      return undefined;
    }
  };

  interface PageRule {
    name: string;
    pseudo: string[];
    style: Pick<CSSStyleDeclaration, 'getPropertyValue' | 'getPropertyPriority'>;
    rank: number;
  }
  const rules: PageRule[] = [];
  const visitRules = (list: CSSRuleList, sheet: number): void => {
    for (const rule of list) {
      if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule instanceof CSSPageRule) {
        for (const selector of rule.selectorText.split(',')) {
          const [name = '', ...pseudo] = selector.trim().split(':');
          const weight = (name === '' ? 0 : 100) + (pseudo.includes('first') ? 10 : pseudo.length);
          rules.push({ name, pseudo, style: rule.style, rank: sheet * 1000 + weight });
        }
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet) visitSheet(rule.styleSheet, sheet);
      } else if ('cssRules' in rule && !(rule instanceof CSSStyleRule))
        visitRules(rule.cssRules as CSSRuleList, sheet);
    }
  };
  const visitSheet = (sheet: CSSStyleSheet, index: number): void => {
    if (sheet.disabled || !matchMedia(sheet.media.mediaText || 'all').matches) return;
    try {
      visitRules(sheet.cssRules, index);
    } catch {
      // A style sheet of another origin, which the document may use but not read.
    }
  };
  for (const [index, sheet] of [
    ...readDocument('styleSheets'),
    ...readDocument('adoptedStyleSheets'),
  ].entries())
    visitSheet(sheet, index);
  // The sort is stable, so later rules win among equals.
  rules.sort((a, b) => a.rank - b.rank);

  const isRtl = getComputedStyle(readDocument('documentElement')).direction === 'rtl';
  const areas = new Map<string, PageArea>();
  return (page, name) => {
    const isLeft = (page % 2 === 0) !== isRtl;
    const key = `${page === 1 ? 'first' : ''} ${isLeft} ${name}`;
    const known = areas.get(key);
    if (known) return known;
    const applied = rules.filter(
      (rule) =>
        (rule.name === '' || rule.name === name) &&
        rule.pseudo.every((each) =>
          each === 'first' ? page === 1 : each === 'left' ? isLeft : each === 'right' && !isLeft,
        ),
    );
    const read = (property: string): string => {
      let value = '';
      let priority = '';
      for (const { style } of applied) {
        const found = style.getPropertyValue(property);
        if (found === '' || (priority !== '' && style.getPropertyPriority(property) === '')) continue;
        value = found;
        priority = style.getPropertyPriority(property);
      }
      return value;
    };
    // Chromium rounds the paper of the options up and their margins down to whole points.
    const inPoints = (pixels: number, round: (points: number) => number) =>
      (round(Math.round(pixels * 0.75 * 1e4) / 1e4) * 4) / 3;
    let [width, height] = [inPoints(paper.width, Math.ceil), inPoints(paper.height, Math.ceil)];
    const words = read('size').toLowerCase().split(/\s+/);
    const [first, second = first] = words.flatMap((word) => {
      const millimetres = MM[word]?.map((side) => (side * 96) / 25.4);
      return millimetres ?? readLength(word, 0) ?? [];
    });
    if (first !== undefined && second !== undefined) [width, height] = [first, second];
    if ((words.includes('landscape') && width < height) || (words.includes('portrait') && width > height))
      [width, height] = [height, width];
    const margins = Object.fromEntries(
      SIDES.map((side) => {
        const base = side === 'top' || side === 'bottom' ? height : width;
        const margin = read(`margin-${side}`);
        // Chromium prints margins of `auto` as 0.
        const own = margin === 'auto' ? 0 : readLength(margin, base);
        return [side, own ?? inPoints(paper.margins[side], Math.floor)];
      }),
    ) as Record<(typeof SIDES)[number], number>;
    // Chromium's lengths are multiples of 1/64 pixel.
    const inUnits = (length: number, round: (units: number) => number) => round(length * 64) / 64;
    const between = (paperLength: number, before: number, after: number) =>
      Math.ceil(
        (inUnits(paperLength, Math.round) - inUnits(before, Math.floor) - inUnits(after, Math.floor)) / scale,
      );
    const area = {
      width: between(width, margins.left, margins.right),
      height: between(height, margins.top, margins.bottom),
    };
    areas.set(key, area);
    return area;
  };
}
