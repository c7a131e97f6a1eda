import { parse } from '@babel/parser';

/** Sleeps from this duration on are long. */
const LONG_MS = 100;
/** Begins a comment, above the line of a sleep, that says why the passage of real time is its subject. */
const REASON = /^\s*\/\/ Real time: \w/;

/** A call that waits for a time, in the text of a test. */
export interface Sleep {
  /** From 1. */
  line: number;
  hasReason: boolean;
}

/** A node of Babel's syntax tree, whose fields depend on its type. */
interface SyntaxNode {
  type: string;
  loc: { start: { line: number } };
  [field: string]: unknown;
}

/**
 * Finds the calls of `Bun.sleep`, `sleep` and `setTimeout` whose duration is not a number below 100, written
 * in the call or as a constant of the file. Programs in strings do not count.
 */
export function findLongSleeps(text: string): Sleep[] {
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: ['typescript', 'jsx', 'explicitResourceManagement'],
  });
  const nodes = [...nodesOf(program)];
  const constants = new Map(nodes.flatMap(numberOf));
  const lines = text.split('\n');
  return nodes.flatMap((node) => {
    const duration = durationOf(node);
    if (!duration) return [];
    const ms = duration.type === 'Identifier' ? constants.get(duration['name']) : duration['value'];
    if (typeof ms === 'number' && ms < LONG_MS) return [];
    const { line } = node.loc.start;
    return [{ line, hasReason: REASON.test(lines[line - 2] ?? '') }];
  });
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}

function* nodesOf(value: unknown): Iterable<SyntaxNode> {
  if (Array.isArray(value)) for (const element of value) yield* nodesOf(element);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** Returns the argument with the duration if the node is the call of a sleep. */
function durationOf({ type, callee, arguments: args }: SyntaxNode): SyntaxNode | undefined {
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(args)) return undefined;
  const { name, object, property } = callee;
  if (name === 'setTimeout') return args[1];
  const isBunSleep =
    isNode(object) && object['name'] === 'Bun' && isNode(property) && property['name'] === 'sleep';
  return name === 'sleep' || isBunSleep ? args[0] : undefined;
}

/** Returns the name and the value of a variable in capitals that is a number. */
function numberOf({ type, id, init }: SyntaxNode): [unknown, number][] {
  if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) return [];
  const isConstant = /^[A-Z\d_]+$/.test(String(id['name']));
  return isConstant && typeof init['value'] === 'number' ? [[id['name'], init['value']]] : [];
}
