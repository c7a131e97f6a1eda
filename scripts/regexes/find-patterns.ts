import { parse } from '@babel/parser';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A regular expression in a source file. */
export interface FoundPattern {
  /** Path of the file from the root. */
  file: string;
  line: number;
  /** The pattern as `/source/flags`, or the code of the expression if its value is not constant. */
  text: string;
  /** `undefined` if the value is not constant. */
  pattern: { source: string; flags: string } | undefined;
}

/** A node of Babel's syntax tree, whose fields depend on its type. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [field: string]: unknown;
}

interface SourceModule {
  root: string;
  file: string;
  code: string;
  program: SyntaxNode;
  /** Initial values of the top-level constants by name, without names that an inner scope binds again. */
  constants: ReadonlyMap<string, SyntaxNode>;
  /** File and exported name of each import from a file, by local name. */
  imports: ReadonlyMap<string, { file: string; name: string }>;
}

type Constant = string | number | { source: string; flags: string };

/** String methods that create a regular expression from a string. */
const MATCHING_METHODS = new Set(['match', 'matchAll', 'search']);

/**
 * Finds all regular expressions in a file: literals, calls of `RegExp`, string arguments of `match`,
 * `matchAll` and `search`, and the `pattern` and `patternProperties` of schemas. An expression other than a
 * literal is evaluated if it consists of constants of the file and of files that it imports.
 */
export function findPatterns(root: string, file: string): FoundPattern[] {
  const module = readModule(root, file);
  const found: FoundPattern[] = [];
  const add = (node: SyntaxNode, value: Constant | undefined, code = node) => {
    const pattern = typeof value === 'string' ? { source: value, flags: '' } : value;
    const isConstant = typeof pattern === 'object';
    const text = isConstant
      ? `/${pattern.source}/${pattern.flags}`
      : module.code.slice(code.start, code.end).replaceAll(/\s+/g, ' ');
    found.push({ file, line: node.loc.start.line, text, pattern: isConstant ? pattern : undefined });
  };
  for (const node of nodesOf(module.program)) {
    if (node.type === 'RegExpLiteral') add(node, evaluate(node, module));
    else if (isCallOf(node, 'RegExp')) add(node, regExpOf(argumentsOf(node), module));
    else if (isCallOfMethod(node, MATCHING_METHODS)) {
      const [argument] = argumentsOf(node);
      const value = argument && evaluate(argument, module);
      // A regular expression argument is found where it is defined.
      if (typeof value === 'string') add(node, value);
    } else if (node.type === 'ObjectExpression') {
      for (const { key, value } of propertiesOf(node)) {
        if (key === 'pattern') add(value, evaluate(value, module));
        if (key !== 'patternProperties' || value.type !== 'ObjectExpression') continue;
        for (const property of propertiesOf(value)) add(property.value, property.key);
      }
    }
  }
  return found;
}

function readModule(root: string, file: string): SourceModule {
  const code = readFileSync(join(root, file), 'utf8');
  const jsx = file.endsWith('x') ? (['jsx'] as const) : [];
  const { program } = parse(code, { sourceType: 'module', plugins: ['typescript', ...jsx] });
  const constants = new Map<string, SyntaxNode>();
  const imports = new Map<string, { file: string; name: string }>();
  const body = childrenOf(program, 'body');
  for (const statement of body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? childOf(statement, 'declaration') : statement;
    if (declaration?.type === 'VariableDeclaration' && declaration['kind'] === 'const') {
      for (const { name, value } of bindingsOf(declaration)) if (value) constants.set(name, value);
    }
    const from = statement.type === 'ImportDeclaration' ? childOf(statement, 'source')?.['value'] : undefined;
    if (typeof from !== 'string' || !from.startsWith('.')) continue;
    for (const specifier of childrenOf(statement, 'specifiers')) {
      const local = nameOf(childOf(specifier, 'local'));
      const name = nameOf(childOf(specifier, 'imported'));
      if (local && name) imports.set(local, { file: join(dirname(file), from), name });
    }
  }
  for (const name of innerBindings(body)) constants.delete(name);
  return { root, file, code, program: program as unknown as SyntaxNode, constants, imports };
}

/** Lists the names that are bound below the top level. */
function* innerBindings(body: readonly SyntaxNode[]): Generator<string> {
  for (const statement of body) {
    for (const node of nodesOf(statement)) {
      if (node.type === 'VariableDeclaration' && node !== statement && node !== statement['declaration'])
        for (const { name } of bindingsOf(node)) yield name;
      for (const parameter of childrenOf(node, 'params'))
        for (const inner of nodesOf(parameter)) if (inner.type === 'Identifier') yield nameOf(inner) ?? '';
    }
  }
}

function bindingsOf(declaration: SyntaxNode): { name: string; value: SyntaxNode | undefined }[] {
  return childrenOf(declaration, 'declarations').flatMap((declarator) => {
    const name = nameOf(childOf(declarator, 'id'));
    return name === undefined ? [] : { name, value: childOf(declarator, 'init') };
  });
}

/** Evaluates an expression; `undefined` if its value is not constant. */
function evaluate(node: SyntaxNode, module: SourceModule): Constant | undefined {
  switch (node.type) {
    case 'StringLiteral':
      return String(node['value']);
    case 'NumericLiteral':
      return Number(node['value']);
    case 'RegExpLiteral':
      return { source: String(node['pattern']), flags: String(node['flags']) };
    case 'TemplateLiteral':
      return evaluateTemplate(node, 'cooked', module);
    case 'TaggedTemplateExpression': {
      const [tag, template] = [childOf(node, 'tag'), childOf(node, 'quasi')];
      const isRaw = tag !== undefined && module.code.slice(tag.start, tag.end) === 'String.raw';
      return isRaw && template ? evaluateTemplate(template, 'raw', module) : undefined;
    }
    case 'BinaryExpression': {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
      const [a, b] = [left && evaluate(left, module), right && evaluate(right, module)];
      if (node['operator'] !== '+' || a === undefined || b === undefined) return undefined;
      if (typeof a === 'number' && typeof b === 'number') return a + b;
      return typeof a === 'object' || typeof b === 'object' ? undefined : `${a}${b}`;
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression': {
      const inner = childOf(node, 'expression');
      return inner && evaluate(inner, module);
    }
    case 'Identifier':
      return evaluateName(nameOf(node) ?? '', module);
    case 'NewExpression':
      return isCallOf(node, 'RegExp') ? regExpOf(argumentsOf(node), module) : undefined;
    default:
      return undefined;
  }
}

function evaluateName(name: string, module: SourceModule): Constant | undefined {
  const value = module.constants.get(name);
  if (value) return evaluate(value, module);
  const imported = module.imports.get(name);
  if (!imported || !existsSync(join(module.root, imported.file))) return undefined;
  return evaluateName(imported.name, readModule(module.root, imported.file));
}

function evaluateTemplate(
  node: SyntaxNode,
  form: 'cooked' | 'raw',
  module: SourceModule,
): string | undefined {
  const values: (string | number)[] = [];
  for (const expression of childrenOf(node, 'expressions')) {
    const value = evaluate(expression, module);
    if (value === undefined || typeof value === 'object') return undefined;
    values.push(value);
  }
  const texts = childrenOf(node, 'quasis').map(({ value }) => (value as Record<string, string>)[form] ?? '');
  return texts.map((text, index) => `${text}${values[index] ?? ''}`).join('');
}

function regExpOf(
  [pattern, flags]: readonly SyntaxNode[],
  module: SourceModule,
): { source: string; flags: string } | undefined {
  const value = pattern && evaluate(pattern, module);
  const flagText = flags === undefined ? undefined : evaluate(flags, module);
  if (value === undefined || typeof value === 'number') return undefined;
  if (flags !== undefined && typeof flagText !== 'string') return undefined;
  const source = typeof value === 'string' ? value : value.source;
  const ownFlags = typeof value === 'string' ? '' : value.flags;
  return { source, flags: typeof flagText === 'string' ? flagText : ownFlags };
}

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) {
    for (const member of value as unknown[]) yield* nodesOf(member);
  } else if (isNode(value)) {
    yield value;
    for (const [field, child] of Object.entries(value))
      if (typeof child === 'object' && field !== 'loc') yield* nodesOf(child);
  }
}

function isCallOf(node: SyntaxNode, name: string): boolean {
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  return isCall && nameOf(childOf(node, 'callee')) === name;
}

function isCallOfMethod(node: SyntaxNode, names: ReadonlySet<string>): boolean {
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return false;
  const callee = childOf(node, 'callee');
  return callee !== undefined && names.has(nameOf(childOf(callee, 'property')) ?? '');
}

function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node, 'arguments');
}

function propertiesOf(object: SyntaxNode): { key: string; value: SyntaxNode }[] {
  return childrenOf(object, 'properties').flatMap((property) => {
    const [key, value] = [childOf(property, 'key'), childOf(property, 'value')];
    const name = key && (nameOf(key) ?? (key.type === 'StringLiteral' ? String(key['value']) : undefined));
    return name === undefined || !value ? [] : { key: name, value };
  });
}

function nameOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === 'Identifier' ? String(node['name']) : undefined;
}

function childOf(node: object, field: string): SyntaxNode | undefined {
  const child = (node as Record<string, unknown>)[field];
  return isNode(child) ? child : undefined;
}

function childrenOf(node: object, field: string): SyntaxNode[] {
  const children = (node as Record<string, unknown>)[field];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value;
}
