/** An outcome that can cross a process boundary: a value, or a failure that the template's author caused. */
export type Result<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; line?: number; column?: number; part?: string };

/** A place in a template. Lines and columns count from 1, columns in UTF-16 code units. */
export interface TemplatePosition {
  line: number;
  column: number;
}

const MAX_QUOTE = 80;

/** Thrown for what is wrong with a template, by its parsing or its rendering. The message is one sentence for the template's author. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
  readonly position: TemplatePosition | undefined;

  constructor(message: string, position?: TemplatePosition) {
    super(message);
    this.position = position;
  }
}

/** Makes a fault of a Handlebars location, whose columns count from 0. */
export function faultAt(message: string, { start }: hbs.AST.SourceLocation): TemplateFault {
  return new TemplateFault(message, { line: start.line, column: start.column + 1 });
}

/** Makes the fault of a template whose output passes its bound. */
export function tooLong(): TemplateFault {
  return new TemplateFault('the output is too large');
}

/** Quotes template text for a message: at most 80 characters, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE - 1)}…` : line}"`;
}

/** Makes a failed result: `line 3, column 12: <message>`, with the part's name if the fault is in a part. */
export function toFailure({ message, position }: TemplateFault, part?: string): Result<never> {
  return {
    ok: false,
    code: 'TEMPLATE_ERROR',
    message: position ? `line ${position.line}, column ${position.column}: ${message}` : message,
    ...position,
    ...(part !== undefined && { part }),
  };
}
