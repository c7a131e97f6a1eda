import type { CharacterLine, TextBox } from './characters.ts';

/** A word and its box. */
export interface Word extends TextBox {
  text: string;
}

/** Splits lines into words. Sides of boxes are rounded to hundredths of a point. */
export function wordsOf(lines: readonly CharacterLine[]): Word[] {
  const words: Word[] = [];
  for (const { characters } of lines) {
    let word: { text: string; boxes: TextBox[] } | undefined;
    for (const { text, box } of characters) {
      if (text.trim() === '') {
        if (word) words.push(finish(word));
        word = undefined;
        continue;
      }
      word ??= { text: '', boxes: [] };
      word.text += text;
      word.boxes.push(box);
    }
    if (word) words.push(finish(word));
  }
  return words;
}

function finish({ text, boxes }: { text: string; boxes: readonly TextBox[] }): Word {
  const { x, y, width, height } = enclose(boxes);
  return { text, x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** Returns the smallest box around boxes. Empty boxes do not count. */
export function enclose(boxes: readonly TextBox[]): TextBox {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    if (width === 0 && height === 0) continue;
    left = Math.min(left, x);
    bottom = Math.min(bottom, y);
    right = Math.max(right, x + width);
    top = Math.max(top, y + height);
  }
  if (right < left) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: bottom, width: right - left, height: top - bottom };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
