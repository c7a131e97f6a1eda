/**
 * The result of work that crosses a process boundary: a value, or a failure caused by the template or its
 * data.
 */
export type Result<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; line?: number; column?: number; part?: string };

/** A position in a template. Lines and columns count from 1; columns count UTF-16 code units. */
export interface TemplatePosition {
  line: number;
  column: number;
}

const MAX_QUOTED_CHARACTERS = 80;

/** Thrown for an error in a template or its data. The message is a sentence for the template's author. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
  readonly position: TemplatePosition | undefined;

  constructor(message: string, position?: TemplatePosition) {
    super(message);
    this.position = position;
  }
}

/** Creates a fault at a Handlebars location, whose columns count from 0. */
export function faultAt(message: string, { start }: hbs.AST.SourceLocation): TemplateFault {
  return new TemplateFault(message, { line: start.line, column: start.column + 1 });
}

/** Creates the fault for output that exceeds its limit. */
export function tooLong(): TemplateFault {
  return new TemplateFault('the output is too large');
}

/** Quotes template text for a message, on one line with at most 80 characters. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > MAX_QUOTED_CHARACTERS ? `${line.slice(0, MAX_QUOTED_CHARACTERS - 1)}…` : line}"`;
}

/**
 * Creates a failed result. The message begins with the position if it is known, such as
 * `line 3, column 12: `.
 */
export function toFailure({ message, position }: TemplateFault, part?: string): Result<never> {
  return {
    ok: false,
    code: 'TEMPLATE_ERROR',
    message: position ? `line ${position.line}, column ${position.column}: ${message}` : message,
    ...position,
    ...(part !== undefined && { part }),
  };
}
