import type { LevelRules } from '../../levels.ts';
import {
  PROPERTIES,
  PROPERTIES_2004,
  PROPERTIES_2005,
  STRUCTURES,
  STRUCTURES_2005,
  type PropertyTable,
} from './predefined-properties.ts';
import { ValueTypes, type StructureType, type StructureTypes } from './value-types.ts';

/** The properties that a PDF/A file may have without an extension schema. */
export interface PredefinedSchemas {
  /** The value types of the properties, by namespace and local name. */
  properties: ReadonlyMap<string, string>;
  structures: StructureTypes;
  types: ValueTypes;
}

const SCHEMAS: Readonly<Record<1 | 2, PredefinedSchemas>> = {
  1: schemasOf(1, [PROPERTIES, PROPERTIES_2004], [STRUCTURES]),
  2: schemasOf(2, [PROPERTIES, PROPERTIES_2005], [STRUCTURES, STRUCTURES_2005]),
};

/**
 * Returns the predefined schemas of the edition of XMP that a part refers to: that of January 2004 or that of
 * September 2005.
 */
export function predefinedSchemas({ part }: Pick<LevelRules, 'part'>): PredefinedSchemas {
  return SCHEMAS[part === 1 ? 1 : 2];
}

function schemasOf(
  part: 1 | 2,
  properties: readonly PropertyTable[],
  tables: readonly Readonly<Record<string, PropertyTable>>[],
): PredefinedSchemas {
  const structures = new Map<string, StructureType>();
  for (const table of tables)
    for (const [name, fields] of Object.entries(table))
      for (const [namespace, byType] of Object.entries(fields))
        structures.set(name.toLowerCase(), { namespace, fields: namesByType(byType) });
  const all = new Map<string, string>();
  for (const table of properties)
    for (const [namespace, byType] of Object.entries(table))
      for (const [name, type] of namesByType(byType)) all.set(`${namespace} ${name}`, type);
  return { properties: all, structures, types: new ValueTypes({ part }, structures) };
}

function namesByType(byType: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(byType).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
  );
}
