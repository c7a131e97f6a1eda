/**
 * A validated condition of a filter. `eq` accepts null, `in` accepts scalars and null, `contains` accepts
 * strings, the other operators accept scalars.
 */
export type FieldCondition =
  | { field: string; operator: 'eq'; operand: Scalar | null }
  | { field: string; operator: 'in'; operand: (Scalar | null)[] }
  | { field: string; operator: 'contains'; operand: string }
  | { field: string; operator: 'lt' | 'lte' | 'gt' | 'gte'; operand: Scalar };

/**
 * A validated condition of a filter: of one field, or alternatives, each with conditions that must all hold.
 */
export type FilterCondition = FieldCondition | { operator: 'either'; alternatives: FilterCondition[][] };

/** A value that a filter compares with. */
export type Scalar = string | number | boolean;

/** Returns the name of a field or collection if it is valid. @throws {TypeError} */
export function checkName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new TypeError(`${name} is not a valid name: names consist of letters, digits and _`);
  return name;
}

function checkScalar(field: string, value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(
    `the filter on ${field} must compare with a string, number or boolean, not with ${typeof value}`,
  );
}

function checkOperator(field: string, operator: string, operand: unknown): FieldCondition {
  if (operator === 'in' && Array.isArray(operand)) {
    const members = operand.map((member: unknown) => (member === null ? null : checkScalar(field, member)));
    return { field, operator, operand: members };
  }
  if (operator === 'contains' && typeof operand === 'string') return { field, operator, operand };
  if (operator === 'lt' || operator === 'lte' || operator === 'gt' || operator === 'gte')
    return { field, operator, operand: checkScalar(field, operand) };
  throw new TypeError(`the filter on ${field} must use in, contains, lt, lte, gt or gte, not ${operator}`);
}

/**
 * Converts a filter into conditions that must all hold, in the same way for every driver. Rejects `undefined`
 * and unknown operators: ignoring them would match documents that the caller did not intend.
 * @throws {TypeError}
 */
export function readFilter(filter: object): FilterCondition[] {
  return Object.entries(filter).flatMap(([name, condition]: [string, unknown]): FilterCondition[] => {
    if (name === 'either') return [{ operator: 'either', alternatives: readAlternatives(condition) }];
    const field = checkName(name);
    if (condition === null) return [{ field, operator: 'eq', operand: null }];
    if (typeof condition !== 'object')
      return [{ field, operator: 'eq', operand: checkScalar(field, condition) }];
    return Object.entries(condition).map(([operator, operand]) => checkOperator(field, operator, operand));
  });
}

function readAlternatives(alternatives: unknown): FilterCondition[][] {
  if (!Array.isArray(alternatives) || alternatives.length === 0)
    throw new TypeError('the filter either must be a list of filters that is not empty');
  return alternatives.map((alternative: unknown) => {
    if (typeof alternative !== 'object' || alternative === null)
      throw new TypeError('the filter either must contain filters');
    return readFilter(alternative);
  });
}
