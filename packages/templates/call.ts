import { faultAt, quote } from './fault.ts';
import { usageOf } from './helpers/call.ts';
import type { TemplateHelper } from './helpers/definition.ts';
import { BUILT_IN_HELPERS, TEMPLATE_HELPERS } from './helpers/table.ts';

/** What may call a helper: a mustache, a sub-expression or a block. */
export interface Call {
  path: hbs.AST.PathExpression | hbs.AST.Literal;
  params: readonly hbs.AST.Expression[];
  hash?: hbs.AST.Hash;
  loc: hbs.AST.SourceLocation;
}

/** Where a call stands. */
export type CallPlace = 'mustache' | 'expression' | 'block';

/**
 * Refuses a call of a known helper with the wrong number of arguments, with options that it does not have, or in the wrong place.
 * What is no helper is a field of the data, and not this check's concern.
 *
 * @throws {TemplateFault}
 */
export function checkCall(call: Call, place: CallPlace, blockParams: readonly string[]): void {
  const name = simpleName(call.path);
  if (name === undefined) {
    const isCall = place === 'expression' || call.params.length > 0 || call.hash !== undefined;
    // Handlebars would call the helper that the first part names.
    if (isCall) throw faultAt(`${quote(nameOf(call.path))} is a field, which takes no arguments`, call.loc);
    return;
  }
  if (blockParams.includes(name)) return;
  const helper = TEMPLATE_HELPERS.get(name);
  const wanted = BUILT_IN_HELPERS.get(name);
  if (helper) checkHelper(helper, call, place);
  else if (wanted !== undefined) checkBuiltIn(name, wanted, call, place);
}

function checkBuiltIn(name: string, wanted: number, call: Call, place: CallPlace): void {
  if (place !== 'block' && name !== 'lookup')
    throw faultAt(`the helper ${quote(name)} must open a block: {{#${name} …}}`, call.loc);
  if (call.params.length !== wanted)
    throw faultAt(`the helper ${quote(name)} takes ${counted(wanted)}, not ${call.params.length}`, call.loc);
}

function checkHelper(helper: TemplateHelper, { params, hash, loc }: Call, place: CallPlace): void {
  const { name, takes, options = [] } = helper;
  const [least, most] = takes;
  if (place === 'block' && !helper.block)
    throw faultAt(
      `the helper ${quote(name)} opens no block; it is used as ${usageOf(helper)}, or in parentheses`,
      loc,
    );
  if (params.length < least || params.length > most) {
    const wanted = least === most ? counted(least) : `${least} to ${counted(most)}`;
    const field = params.length === 0 ? `; a field of that name is {{this.${name}}}` : '';
    throw faultAt(
      `the helper ${quote(name)} takes ${wanted}, not ${params.length}: ${usageOf(helper)}${field}`,
      loc,
    );
  }
  const unknown = hash?.pairs.find(({ key }) => !options.includes(key));
  if (!unknown) return;
  const known = options.length > 0 ? `no option but ${options.join(', ')}` : 'no options';
  throw faultAt(`the helper ${quote(name)} takes ${known}, not ${quote(unknown.key)}`, unknown.loc);
}

function counted(count: number): string {
  return `${count} argument${count === 1 ? '' : 's'}`;
}

// As Handlebars decides: `{{./each}}`, `{{this.each}}` and `{{../each}}` are fields of the data, `{{"each"}}` is a helper.
function simpleName(path: Call['path']): string | undefined {
  if (!isPath(path)) return nameOf(path);
  const [name] = path.parts;
  const scoped = /^\.|this\b/.test(path.original);
  return path.data || path.depth > 0 || path.parts.length !== 1 || scoped ? undefined : name;
}

function isPath(path: Call['path']): path is hbs.AST.PathExpression {
  return path.type === 'PathExpression';
}

// The text of a path or of a string in its place; numbers and the like name no helper.
function nameOf(path: Call['path']): string {
  const original: unknown = Reflect.get(path, 'original');
  return typeof original === 'string' ? original : '';
}
