import {
  asDict,
  Name,
  PdfString,
  readContent,
  resolve,
  type Dict,
  type PdfObject,
} from '../../objects/index.ts';
import type { ContentGraph, ContentUnit } from '../content/graph.ts';

/** Text of this mode is neither filled nor stroked: it is there to be searched. */
const INVISIBLE = 3;

/** What content shows in a font. */
export interface FontUse {
  font: Dict;
  /** The strings that are shown, each once, as Latin-1 characters. */
  strings: Set<string>;
  /** Whether any of it can be seen. */
  visible: boolean;
}

/** Finds the fonts in which content shows text, and the text. A font that nothing is shown in is not among them. */
export function readFontUses(graph: ContentGraph): FontUse[] {
  const uses = new Map<Dict, FontUse>();
  /** Text in the font of the content that draws this content, whichever that is. */
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
  // Also an empty text has a font that has to be embedded.
  if (use && mode !== INVISIBLE) use.visible = true;
}

/** Tells whether content can hold an operator that shows text, which most large drawings do not. */
function mayShowText(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return ['Tj', 'TJ', "'", '"'].some((operator) => bytes.includes(operator));
}
