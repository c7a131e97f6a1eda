/** One condition of a filter, checked. `eq` may compare with null, `in` holds scalars and null, the others a scalar. */
export type FieldCondition =
  | { field: string; operator: 'eq'; operand: Scalar | null }
  | { field: string; operator: 'in'; operand: (Scalar | null)[] }
  | { field: string; operator: 'lt' | 'lte' | 'gt' | 'gte'; operand: Scalar };

/** What a filter compares with. */
export type Scalar = string | number | boolean;

/** Checks the name of a field or of a collection. @throws {TypeError} */
export function checkName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new TypeError(`${name} is not a name of letters, digits and _`);
  return name;
}

function checkScalar(field: string, value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(
    `a filter on ${field} compares with strings, numbers and booleans, not with ${typeof value}`,
  );
}

function checkOperator(field: string, operator: string, operand: unknown): FieldCondition {
  if (operator === 'in' && Array.isArray(operand)) {
    const members = operand.map((member: unknown) => (member === null ? null : checkScalar(field, member)));
    return { field, operator, operand: members };
  }
  if (operator === 'lt' || operator === 'lte' || operator === 'gt' || operator === 'gte')
    return { field, operator, operand: checkScalar(field, operand) };
  throw new TypeError(`a filter on ${field} has ${operator}, not in, lt, lte, gt or gte`);
}

/**
 * Reads a filter as conditions that must all hold, for every driver alike. What is `undefined` or unknown is refused: left out,
 * it would match documents that the caller did not mean.
 * @throws {TypeError}
 */
export function readFilter(filter: object): FieldCondition[] {
  return Object.entries(filter).flatMap(([name, condition]: [string, unknown]): FieldCondition[] => {
    const field = checkName(name);
    if (condition === null) return [{ field, operator: 'eq', operand: null }];
    if (typeof condition !== 'object')
      return [{ field, operator: 'eq', operand: checkScalar(field, condition) }];
    return Object.entries(condition).map(([operator, operand]) => checkOperator(field, operator, operand));
  });
}
