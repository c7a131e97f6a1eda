import type { CharacterLine } from './characters.ts';
import { enclose, type TextBox } from './text-box.ts';

/** A word and its box. */
export interface Word extends TextBox {
  text: string;
}

/** Splits lines into words. Rounds the positions and sizes of their boxes to hundredths of a point. */
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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
