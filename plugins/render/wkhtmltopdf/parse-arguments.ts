import { FLAGS, flagOfLetter, type FlagTarget } from './flags.ts';
import {
  defaultContents,
  defaultDocument,
  defaultPage,
  withoutBands,
  type Invocation,
  type PageObject,
} from './settings.ts';

/** An error in the command line, in the words of wkhtmltopdf. */
export class ArgumentError extends Error {}

/** A command line as it was read. */
export interface ParsedArguments extends Invocation {
  /** The flags that have no effect and of which the user should know. */
  ineffective: readonly string[];
}

const NO_FILES =
  'You need to specify at least one input file, and exactly one output file\nUse - for stdin or stdout';

type Area = 'document' | 'page' | 'toc';

/** The areas of flags that each place accepts. */
const ACCEPTED: Readonly<Record<Area, readonly Area[]>> = {
  document: ['document', 'page', 'toc'],
  page: ['page'],
  toc: ['page', 'toc'],
};

/**
 * Reads a command line: `[FLAG]... ([page|cover] SOURCE [FLAG]... | toc [FLAG]...)... OUTPUT`. Flags before
 * the first object apply to all objects. `-` is standard input or output.
 * @throws {ArgumentError} that names the flag
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const reader = new ArgumentReader(args);
  const defaults = { document: defaultDocument(), page: defaultPage(), contents: defaultContents() };
  reader.readFlags('document', defaults);
  const { document } = defaults;
  const objects: PageObject[] = [];
  // Each line of standard input names the objects.
  while (reader.left > 1) objects.push(readObject(reader, defaults));
  const output = reader.take() ?? '';
  if (!document.readsArguments && (objects.length === 0 || isFlag(output))) throw new ArgumentError(NO_FILES);
  return { document, objects, output, ineffective: reader.ineffective };
}

function readObject(reader: ArgumentReader, defaults: FlagTarget): PageObject {
  const target = {
    ...defaults,
    page: { ...defaults.page },
    contents: { ...defaults.contents },
  };
  const word = reader.take() ?? '';
  const isWord = word === 'page' || word === 'cover';
  const kind = word === 'cover' || word === 'toc' ? word : 'page';
  if (kind === 'cover') target.page = { ...withoutBands(target.page), isInOutline: false };
  if (isWord && reader.left < 2) throw new ArgumentError(NO_FILES);
  const source = isWord ? (reader.take() ?? '') : word;
  reader.readFlags(kind === 'toc' ? 'toc' : 'page', target);
  return { kind, source: kind === 'toc' ? '' : source, page: target.page, contents: target.contents };
}

class ArgumentReader {
  readonly ineffective: string[] = [];
  readonly #args: readonly string[];
  #next = 0;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  /** The number of arguments that are left. */
  get left(): number {
    return this.#args.length - this.#next;
  }

  take(): string | undefined {
    const argument = this.#args[this.#next];
    this.#next += 1;
    return argument;
  }

  /** Reads flags until the next argument is none. */
  readFlags(place: Area, target: FlagTarget): void {
    for (let argument = this.#args[this.#next]; argument !== undefined; argument = this.#args[this.#next]) {
      if (!isFlag(argument)) return;
      this.#next += 1;
      if (argument.startsWith('--')) this.#apply(argument, place, target);
      else for (const letter of argument.slice(1)) this.#applyLetter(letter, place, target);
    }
  }

  #applyLetter(letter: string, place: Area, target: FlagTarget): void {
    const name = flagOfLetter(letter);
    if (name === undefined) throw new ArgumentError(`Unknown switch -${letter}`);
    this.#apply(name, place, target);
  }

  #apply(name: string, place: Area, target: FlagTarget): void {
    const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
    if (!flag) throw new ArgumentError(`Unknown long argument ${name}`);
    if (!ACCEPTED[place].includes(flag.area))
      throw new ArgumentError(`${name} specified in incorrect location`);
    if (this.left < flag.arguments) throw new ArgumentError(`Not enough arguments parsed to ${name}`);
    const [first = '', second = ''] = this.#args.slice(this.#next, this.#next + flag.arguments);
    this.#next += flag.arguments;
    if (!flag.apply(target, first, second)) {
      const valid = flag.valid ? `\nIt takes one of ${flag.valid.join(', ')}` : '';
      throw new ArgumentError(`Invalid argument(s) parsed to ${name}${valid}`);
    }
    if (flag.isIgnored === 'with a warning') this.ineffective.push(name);
  }
}

/** Tells whether an argument is a flag; `-` is a file. */
function isFlag(argument: string): boolean {
  return argument.length > 1 && argument.startsWith('-');
}
