import { describe, expect, test } from 'bun:test';
import { compileTemplate } from '@platen/templates';
import { readStarters, type StarterFile } from '../../tests/support/starters/starters.ts';
import type { Json } from '../../tests/support/starters/variants.ts';
import { classify } from '../render/source/classify.ts';

const starters = readStarters();
const CATEGORIES = ['invoice', 'receipt', 'report', 'certificate', 'letter', 'resume', 'other'];

function typeOf(value: Json): string[] {
  if (Array.isArray(value)) return ['array', 'any'];
  if (typeof value === 'number') return ['number', 'any', ...(Number.isInteger(value) ? ['integer'] : [])];
  if (typeof value === 'string')
    return ['string', 'any', ...(Number.isNaN(Date.parse(value)) ? [] : ['date'])];
  return [typeof value, 'any'];
}

function renderSample({ html, sample_data }: StarterFile): string {
  const rendered = compileTemplate({ source: html, data: sample_data });
  if (!rendered.ok) throw new Error(rendered.message);
  return rendered.value.html;
}

describe('the starter', () => {
  test.each(starters.map((starter) => [starter.slug, starter] as const))(
    '%s has a name, a description, a category and complete sample data',
    (_, starter) => {
      expect(CATEGORIES).toContain(starter.category);
      expect(starter.name.length).toBeGreaterThan(3);
      expect(starter.description.length).toBeGreaterThan(20);
      expect(JSON.stringify(starter.sample_data)).not.toMatch(/lorem ipsum/i);
      const optional = ['labels', 'logo'];
      const named = Object.keys(starter.schema).filter((name) => !optional.includes(name));
      expect(Object.keys(starter.sample_data)).toEqual(expect.arrayContaining(named));
      for (const [name, value] of Object.entries(starter.sample_data)) {
        expect(typeOf(value), name).toContain(starter.schema[name]?.replace(/[!?]$/, '') ?? 'nothing');
      }
      // Without these, a document would look finished and say nothing.
      const required = Object.values(starter.schema).filter((type) => type.endsWith('!'));
      expect(required.length).toBeGreaterThan(0);
      expect(Object.values(starter.schema).every((type) => /[!?]$/.test(type))).toBe(true);
    },
  );

  test.each(starters.map((starter) => [starter.slug, starter] as const))(
    '%s needs neither scripts nor the network',
    (_, starter) => {
      expect(classify(renderSample(starter)).documentClass).toBe('plain');
      expect(starter.html).not.toMatch(/@import|@font-face|url\(\s*["']?(?!data:|#|["'])/i);
    },
  );
});
