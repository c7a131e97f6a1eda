/** A step of a scenario with its argument, a table or a text. */
export interface Step {
  text: string;
  line: number;
  table?: string[][];
  doc?: string;
}

export interface Scenario {
  name: string;
  line: number;
  tags: readonly string[];
  steps: Step[];
}

export interface Feature {
  name: string;
  scenarios: Scenario[];
}

/** Thrown for a line that does not belong where it stands. */
export class GherkinError extends Error {
  override name = 'GherkinError';
}

const STEP = /^(?:Given|When|Then|And|But|\*) (.*)$/;

const ESCAPES: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\|': '|' };

/**
 * Reads a feature file: scenarios, tags, steps, tables, texts between `"""` and comments. This is the part of
 * Gherkin that Gotenberg's features use; backgrounds, rules and outlines are errors.
 * @throws {GherkinError} naming the line
 */
export function readFeature(source: string): Feature {
  const lines = source.split(/\r?\n/);
  let name: string | undefined;
  const scenarios: Scenario[] = [];
  let tags: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').trim();
    const scenario = scenarios.at(-1);
    const step = scenario?.steps.at(-1);
    const fail = (reason: string) => new GherkinError(`line ${index + 1}: ${reason}: ${line}`);
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('@')) tags.push(...line.split(/\s+/));
    else if (line.startsWith('Feature:')) {
      if (name !== undefined) throw fail('a second feature');
      name = line.slice('Feature:'.length).trim();
      tags = [];
    } else if (line.startsWith('Scenario:')) {
      if (name === undefined) throw fail('a scenario before the feature');
      scenarios.push({ name: line.slice('Scenario:'.length).trim(), line: index + 1, tags, steps: [] });
      tags = [];
    } else if (line.startsWith('|')) {
      if (!step || step.doc !== undefined) throw fail('a row without a step');
      (step.table ??= []).push(readRow(line) ?? raise(fail('a row must end with |')));
    } else if (line === '"""') {
      if (!step || step.table || step.doc !== undefined) throw fail('a text without a step');
      const end = lines.findIndex((text, at) => at > index && text.trim() === '"""');
      if (end === -1) throw fail('a text without an end');
      const indent = (lines[index] ?? '').indexOf('"""');
      step.doc = lines
        .slice(index + 1, end)
        .map((text) => dedent(text, indent))
        .join('\n');
      index = end;
    } else {
      const [, text] = STEP.exec(line) ?? [];
      if (text === undefined) throw fail('not understood');
      if (!scenario) throw fail('a step without a scenario');
      scenario.steps.push({ text, line: index + 1 });
    }
  }
  if (name === undefined) throw new GherkinError('the file has no feature');
  return { name, scenarios };
}

function readRow(line: string): string[] | undefined {
  const cells = line.match(/(?:\\.|[^\\|])*\|/g)?.slice(1);
  if (!cells || !line.endsWith('|')) return undefined;
  return cells.map((cell) =>
    cell
      .slice(0, -1)
      .trim()
      .replace(/\\[\\n|]/g, (escape) => ESCAPES[escape] ?? escape),
  );
}

/** Removes the indentation of the opening `"""`, or less if the line has less. */
function dedent(line: string, indent: number): string {
  const own = line.length - line.trimStart().length;
  return line.slice(Math.min(own, indent));
}

function raise(error: Error): never {
  throw error;
}
