/** A record of a CSV file, or the fault of an invalid line. */
export interface CsvRecord {
  /** The line on which it begins, counted from 1. */
  line: number;
  fields: readonly string[];
  fault?: string;
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** Where the parser is. */
const START = 0; // At the beginning of a field.
const PLAIN = 1;
const QUOTED = 2;
const CLOSED = 3; // After a quote in a quoted field, which closes it unless another quote follows.
const INVALID = 4; // In the rest of an invalid line.

/**
 * Reads the records of a CSV file (RFC 4180) from pieces of its text, in linear time. Lines end with CR LF,
 * LF or CR. A quote inside an unquoted field is part of the value. Blank lines are skipped. A fault ends at
 * the end of its line, so that later records can be read.
 */
export class CsvReader {
  readonly #separator: number;
  readonly #maxCharacters: number;
  #state = START;
  #line = 1;
  #recordLine = 1;
  #fields: string[] = [];
  #field = '';
  #characters = 0;
  #fault: string | undefined;
  #isAfterReturn = false;
  #blankLines = 0;

  /**
   * @param separator one character
   * @param maxCharacters the limit of a record
   */
  constructor({ separator, maxCharacters }: { separator: string; maxCharacters: number }) {
    this.#separator = separator.charCodeAt(0);
    this.#maxCharacters = maxCharacters;
  }

  /** The number of blank lines so far. */
  get blankLines(): number {
    return this.#blankLines;
  }

  /** Reads a piece of the text, and returns the records that it completes. */
  read(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    /** Where the part of the current field begins that is not in `#field`. */
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isSecondHalf = code === LINE_FEED && this.#isAfterReturn;
      this.#isAfterReturn = code === CARRIAGE_RETURN;
      const isBreak = code === LINE_FEED || code === CARRIAGE_RETURN;
      if (isBreak && !isSecondHalf) this.#line += 1;
      if (this.#state === QUOTED) {
        if (code !== QUOTE) continue;
        if (this.#add(text.slice(from, at))) this.#state = CLOSED;
      } else if (isSecondHalf) {
        from = at + 1;
      } else if (isBreak) {
        if (this.#state === PLAIN) this.#add(text.slice(from, at));
        this.#endRecord(records);
        from = at + 1;
      } else if (this.#state === INVALID) {
        continue;
      } else if (code === this.#separator) {
        if (this.#state === PLAIN) this.#add(text.slice(from, at));
        this.#endField();
        from = at + 1;
      } else if (this.#state === START) {
        this.#state = code === QUOTE ? QUOTED : PLAIN;
        from = code === QUOTE ? at + 1 : at;
      } else if (this.#state === CLOSED) {
        from = at;
        if (code === QUOTE) this.#state = QUOTED;
        else this.#fail('has text after a closing quote');
      }
    }
    if (this.#state === PLAIN || this.#state === QUOTED) this.#add(text.slice(from));
    return records;
  }

  /** Returns the last record, which may have no line break. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    if (this.#state === QUOTED) this.#fail('has a quote that is not closed');
    this.#endRecord(records);
    return records;
  }

  /** Adds to the current field. Returns false if the record is then too long. */
  #add(part: string): boolean {
    this.#field += part;
    return this.#count(part.length);
  }

  #count(characters: number): boolean {
    this.#characters += characters;
    if (this.#characters <= this.#maxCharacters) return true;
    this.#fail(`has more than ${this.#maxCharacters} characters`);
    return false;
  }

  #endField(): void {
    // The separator counts, so that the number of empty fields is limited too.
    if (this.#state === INVALID || !this.#count(1)) return;
    this.#fields.push(this.#field);
    this.#field = '';
    this.#state = START;
  }

  #fail(fault: string): void {
    this.#fault ??= fault;
    this.#state = INVALID;
    this.#field = '';
  }

  #endRecord(records: CsvRecord[]): void {
    if (this.#state === START && this.#fields.length === 0) {
      this.#blankLines += 1;
      this.#recordLine = this.#line;
      return;
    }
    this.#endField();
    if (this.#fault !== undefined) records.push({ line: this.#recordLine, fields: [], fault: this.#fault });
    else records.push({ line: this.#recordLine, fields: this.#fields });
    this.#fields = [];
    this.#field = '';
    this.#fault = undefined;
    this.#characters = 0;
    this.#state = START;
    this.#recordLine = this.#line;
  }
}
