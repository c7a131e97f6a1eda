import {
  asDict,
  type Dict,
  Name,
  type PdfDocument,
  type PdfObject,
  PdfString,
  readContent,
  resolve,
} from '@platen/pdf/objects';
import type { ContentGraph, ContentUnit } from '../content/graph.ts';
import type { LevelRules } from '../levels.ts';
import type { Breach } from '../violation.ts';

/** The rendering mode of text that is neither filled nor stroked, such as a searchable layer over a scan. */
const INVISIBLE = 3;

/** The text shown in a font. */
export interface FontUse {
  font: Dict;
  /** The distinct strings that are shown. Each byte is a Latin-1 character. */
  strings: Set<string>;
  /** Whether any of the text is visible. */
  visible: boolean;
}

/** Finds the fonts that show text, and the strings that each of them shows. Omits unused fonts. */
export function readFontUses(graph: ContentGraph): FontUse[] {
  const uses = new Map<Dict, FontUse>();
  /** The strings of content that uses the font of the surrounding content, which can be any font. */
  const inherited = new Set<string>();
  for (const unit of graph.units) readUnit(unit, uses, inherited);
  for (const use of uses.values()) for (const text of inherited) use.strings.add(text);
  return [...uses.values()];
}

interface State {
  font: Dict | undefined;
  mode: number;
}

function readUnit(unit: ContentUnit, uses: Map<Dict, FontUse>, inherited: Set<string>): void {
  const content = unit.read();
  const { resources } = unit;
  if (!content || !mayShowText(content)) return;
  const fonts = resources.dict('Font');
  const states = resources.dict('ExtGState');
  let state: State = { font: undefined, mode: 0 };
  const stack: State[] = [];
  for (const { operator, operands } of readContent(content)) {
    switch (operator) {
      case 'q':
        stack.push({ ...state });
        break;
      case 'Q':
        state = stack.pop() ?? state;
        break;
      case 'Tf':
        state.font = operands[0] instanceof Name ? fonts?.dict(operands[0].value) : undefined;
        break;
      case 'Tr':
        state.mode = typeof operands[0] === 'number' ? operands[0] : 0;
        break;
      case 'gs': {
        const [named] = operands;
        const font = named instanceof Name ? states?.dict(named.value)?.array('Font')?.[0] : undefined;
        if (font !== undefined) state.font = asDict(font);
        break;
      }
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        show(operands.at(-1), state, uses, inherited);
        break;
      default:
    }
  }
}

function show(
  shown: PdfObject | undefined,
  { font, mode }: State,
  uses: Map<Dict, FontUse>,
  inherited: Set<string>,
): void {
  let use = font && uses.get(font);
  if (font && !use) {
    use = { font, strings: new Set(), visible: false };
    uses.set(font, use);
  }
  const strings = use?.strings ?? inherited;
  for (const item of Array.isArray(shown) ? shown : [shown]) {
    const string = resolve(item);
    if (string instanceof PdfString && string.bytes.length > 0) strings.add(string.key);
  }
  // The font of an empty string must be embedded too.
  if (use && mode !== INVISIBLE) use.visible = true;
}

/** Tells whether content may show text. Skips most large drawings without parsing them. */
function mayShowText(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return ['Tj', 'TJ', "'", '"'].some((operator) => bytes.includes(operator));
}

/** State shared while the fonts of a document are embedded. */
export interface FontContext {
  document: PdfDocument;
  rules: LevelRules;
  /** Receives the violations that cannot be corrected. */
  violations: Breach[];
  /** Returns the next number for the unique name of a new font program. */
  next(): number;
}
