import type { BrowserText } from '@platen/pdf';

const FAMILIES = {
  sans: "'Liberation Sans','Noto Sans',sans-serif",
  serif: "'Liberation Serif','Noto Serif',serif",
  mono: "'Liberation Mono','Noto Sans Mono',monospace",
};
const JUSTIFY = ['flex-start', 'safe center', 'safe flex-end'];
const TEXT_ALIGN = ['left', 'center', 'right'];

/** Writes the text of a field as HTML. Its font size is 1em, so that the caller can choose it. */
export function browserTextHtml(field: BrowserText): string {
  const { mode, texts, align, height, style, color, rowHeight } = field;
  const rgb = color.map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 255)).join(',');
  const css = `font-family:${FAMILIES[style.family]};font-weight:${style.bold ? 700 : 400};font-style:${style.italic ? 'italic' : 'normal'};color:rgb(${rgb})`;
  switch (mode) {
    case 'line': {
      const text = `<div dir="auto" style="flex:none;white-space:pre">${Bun.escapeHTML(texts[0] ?? '')}</div>`;
      return `<div style="${css};display:flex;align-items:center;min-height:${formatPoints(height)}pt;justify-content:${JUSTIFY[align]}">${text}</div>`;
    }
    case 'lines': {
      // A line break gives an empty line its height.
      const rows = texts.map(
        (text) => `<div dir="auto">${text === '' ? '<br>' : Bun.escapeHTML(text)}</div>`,
      );
      return `<div style="${css};white-space:pre-wrap;text-align:${TEXT_ALIGN[align]};line-height:1.15">${rows.join('')}</div>`;
    }
    case 'comb':
      return `<div style="${css}">${combHtml(field)}</div>`;
    case 'rows': {
      const rows = texts.map((text, index) => {
        const background = field.chosen.includes(index) ? ';background:rgb(153,193,218)' : '';
        return `<div dir="auto" style="white-space:pre;overflow:hidden;height:${rowHeight}em;line-height:${rowHeight}em;padding:0 2pt;text-align:${TEXT_ALIGN[align]}${background}">${Bun.escapeHTML(text)}</div>`;
      });
      return `<div style="${css};height:${formatPoints(height)}pt;overflow:hidden">${rows.join('')}</div>`;
    }
  }
}

function combHtml({ texts, cells, align, width, height }: BrowserText): string {
  const isRightToLeft =
    /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(texts.join(''));
  const free = Math.max(cells - texts.length, 0);
  // The alignment determines the number of empty cells on the left, regardless of the text direction.
  const before = [0, Math.floor(free / 2), free][align] ?? 0;
  const shown = isRightToLeft ? texts.toReversed() : texts;
  const cell = width / cells;
  const boxes = shown.map((text, index) => {
    const left = (before + index) * cell;
    return `<div style="position:absolute;left:${formatPoints(left)}pt;top:0;width:${formatPoints(cell)}pt;height:100%;display:flex;align-items:center;justify-content:center"><span style="white-space:pre">${Bun.escapeHTML(text)}</span></div>`;
  });
  return `<div style="position:relative;height:${formatPoints(height)}pt">${boxes.join('')}</div>`;
}

function formatPoints(value: number): string {
  return value.toFixed(3);
}
