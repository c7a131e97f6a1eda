import { InputFault } from '../../objects/index.ts';
import type { FieldDefinition } from './definition.ts';

/** A field to add: one definition, or the definitions of all buttons of a radio field. */
export interface PlannedField {
  name: string;
  /** The definitions and their paths in the request; at least one. */
  parts: { definition: FieldDefinition; path: string }[];
  /** The selected option of a radio field. */
  chosen?: string;
}

/**
 * Groups radio buttons by name.
 * @throws {InputFault} for duplicate names or options, and conflicting defaults.
 */
export function groupDefinitions(definitions: readonly FieldDefinition[]): PlannedField[] {
  const fields = new Map<string, PlannedField>();
  for (const [index, definition] of definitions.entries()) {
    const path = `fields[${index}]`;
    const field = fields.get(definition.name);
    if (!field) fields.set(definition.name, { name: definition.name, parts: [{ definition, path }] });
    else if (definition.type === 'radio' && field.parts[0]?.definition.type === 'radio') {
      if (field.parts.some((other) => other.definition.option === definition.option))
        throw new InputFault(`${path}.option`, `${quoted(definition.option)} occurs twice in this field`);
      field.parts.push({ definition, path });
    } else
      throw new InputFault(
        `${path}.name`,
        `${quoted(definition.name)} occurs twice; only radio buttons can share a name`,
      );
  }
  for (const field of fields.values()) choose(field);
  return [...fields.values()];
}

function choose(field: PlannedField): void {
  for (const { definition, path } of field.parts) {
    const { type, defaultValue, option } = definition;
    if (type !== 'radio' || defaultValue === undefined || defaultValue === false) continue;
    const chosen = defaultValue === true ? option : defaultValue;
    const isOption = field.parts.some((part) => part.definition.option === chosen);
    if (chosen === undefined || !isOption)
      throw new InputFault(`${path}.defaultValue`, 'must be true, false or an option of the radio field');
    if (field.chosen !== undefined && field.chosen !== chosen)
      throw new InputFault(
        `${path}.defaultValue`,
        `conflicts with the default ${quoted(field.chosen)} of another button`,
      );
    field.chosen = chosen;
  }
}

function quoted(text: string | undefined): string {
  return JSON.stringify(text ?? '');
}
