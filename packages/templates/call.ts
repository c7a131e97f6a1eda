import { faultAt, quote } from './fault.ts';
import { usageOf } from './helpers/call.ts';
import type { TemplateHelper } from './helpers/definition.ts';
import { BUILT_IN_HELPERS, type HelperTable } from './helpers/helper-table.ts';

/** A node that can call a helper: a mustache, a subexpression or a block. */
export interface Call {
  path: hbs.AST.PathExpression | hbs.AST.Literal;
  params: readonly hbs.AST.Expression[];
  hash?: hbs.AST.Hash;
  loc: hbs.AST.SourceLocation;
}

/** The kind of node that makes a call. */
export type CallPlace = 'mustache' | 'expression' | 'block';

/**
 * Validates a call of a known helper: the number of arguments, the options and the position. Other names are
 * fields of the data and are not checked.
 * @throws {TemplateFault}
 */
export function checkCall(
  call: Call,
  { place, blockParams, helpers }: { place: CallPlace; blockParams: readonly string[]; helpers: HelperTable },
): void {
  const name = simpleName(call.path);
  if (name === undefined) {
    const isCall = place === 'expression' || call.params.length > 0 || call.hash !== undefined;
    // Handlebars would call the helper named by the first part.
    if (isCall) throw faultAt(`${quote(nameOf(call.path))} is a field and takes no arguments`, call.loc);
    return;
  }
  if (blockParams.includes(name)) return;
  const helper = helpers.get(name);
  const builtInArguments = BUILT_IN_HELPERS.get(name);
  if (helper) checkHelper(helper, call, place);
  else if (builtInArguments !== undefined) checkBuiltIn(name, builtInArguments, call, place);
}

function checkBuiltIn(name: string, argumentCount: number, call: Call, place: CallPlace): void {
  if (place !== 'block' && name !== 'lookup')
    throw faultAt(`the helper ${quote(name)} must open a block: {{#${name} …}}`, call.loc);
  if (call.params.length !== argumentCount)
    throw faultAt(
      `the helper ${quote(name)} takes ${countArguments(argumentCount)}, not ${call.params.length}`,
      call.loc,
    );
}

function checkHelper(helper: TemplateHelper, call: Call, place: CallPlace): void {
  const { params, hash, loc } = call;
  const { name, argumentCount, options = [] } = helper;
  const [min, max] = argumentCount;
  if (place === 'block' && !helper.block)
    throw faultAt(
      `the helper ${quote(name)} cannot open a block; use ${usageOf(helper)}, or call it in parentheses`,
      loc,
    );
  if (params.length < min || params.length > max) {
    const expected = min === max ? countArguments(min) : `${min} to ${countArguments(max)}`;
    const field = params.length === 0 ? `; a field of that name is {{this.${name}}}` : '';
    throw faultAt(
      `the helper ${quote(name)} takes ${expected}, not ${params.length}: ${usageOf(helper)}${field}`,
      loc,
    );
  }
  if (helper.anyOptions) return;
  const unknown = hash?.pairs.find(({ key }) => !options.includes(key));
  if (!unknown) return requireOptions(helper, call);
  const known = options.length > 0 ? `only the options ${options.join(', ')}` : 'no options';
  throw faultAt(`the helper ${quote(name)} takes ${known}, not ${quote(unknown.key)}`, unknown.loc);
}

function requireOptions(helper: TemplateHelper, { hash, loc }: Call): void {
  const { name, requiredOptions = [] } = helper;
  const missing = requiredOptions.find((option) => !hash?.pairs.some(({ key }) => key === option));
  if (missing === undefined) return;
  const field = hash ? '' : `; a field of that name is {{this.${name}}}`;
  throw faultAt(
    `the helper ${quote(name)} takes the option ${missing}=, which is required: ${usageOf(helper)}${field}`,
    loc,
  );
}

function countArguments(count: number): string {
  return `${count} argument${count === 1 ? '' : 's'}`;
}

// Returns the name that may denote a helper, or undefined for a field of the data. Like Handlebars, treats
// `{{./each}}`, `{{this.each}}` and `{{../each}}` as fields, and `{{"each"}}` as a helper.
function simpleName(path: Call['path']): string | undefined {
  if (!isPath(path)) return nameOf(path);
  const [name] = path.parts;
  const scoped = /^\.|this\b/.test(path.original);
  return path.data || path.depth > 0 || path.parts.length !== 1 || scoped ? undefined : name;
}

function isPath(path: Call['path']): path is hbs.AST.PathExpression {
  return path.type === 'PathExpression';
}

// Returns the text of a path or a string. Other literals cannot name a helper.
function nameOf(path: Call['path']): string {
  const original: unknown = Reflect.get(path, 'original');
  return typeof original === 'string' ? original : '';
}
