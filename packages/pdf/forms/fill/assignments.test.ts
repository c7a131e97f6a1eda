import { expect, test } from 'bun:test';
import { name, PdfString, type PdfObject } from '../../objects/index.ts';
import { Field, FLAG } from '../fields/field.ts';
import { readAssignments } from './assignments.ts';

const unpack = () => undefined;
const field = (fieldName: string, attributes: Record<string, PdfObject>) =>
  new Field(fieldName, new Map(Object.entries(attributes)));

test('a message about an unknown name lists the first fields and counts all', () => {
  const fields = Array.from({ length: 30 }, (_, index) => field(`f${index}`, { FT: name('Tx') }));
  expect(() => readAssignments(fields, [{ name: 'city', value: '' }], unpack)).toThrow(
    '"f18", "f19" and others (30 in total)',
  );
});

test('a message about an unknown option lists the first options and counts all', () => {
  const options = Array.from({ length: 30 }, (_, index) => new PdfString(Buffer.from(`o${index}`)));
  const dropdown = field('country', { FT: name('Ch'), Ff: FLAG.combo, Opt: options });
  expect(() => readAssignments([dropdown], [{ name: 'country', value: 'x' }], unpack)).toThrow(
    '"o18", "o19" or another of 30 options',
  );
});
