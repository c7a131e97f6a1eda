import type { Static } from '../../src/plugin.ts';
import type { ListedField, ListedForm } from './contract.ts';
import type { FieldResponse, ListResponse } from './schemas.ts';

/** Converts the fields of a form to wire names. */
export function presentForm({ fields, xfa }: ListedForm): Static<typeof ListResponse> {
  return { fields: fields.map(presentField), total: fields.length, xfa };
}

function presentField(field: ListedField): Static<typeof FieldResponse> {
  const { kind: type, readOnly: read_only, maxLength: max_length, name, value, page, rect, ...rest } = field;
  const answer = { name, type, value, page, rect, read_only, ...rest };
  return max_length === undefined ? answer : { ...answer, max_length };
}
