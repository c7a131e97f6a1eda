import { expect, test } from 'bun:test';
import { sharedService } from '../support/service/shared-service.ts';
import { INVOICE, workplaces } from './template-workplace.ts';

const service = sharedService();
const workplace = workplaces(service);

test('platen templates pulls, compares, pushes and removes translations', async () => {
  const at = await workplace();
  const translations = { en: { total: 'Total' }, de: { total: 'Summe' } };
  const html_content = '<p>{{t "total"}}</p>';
  const id = await at.create({ ...INVOICE, html_content, translations, default_locale: 'de' });
  await at.pull();
  const { servers: _, ...properties } = at.json('invoice/template.json');
  expect(properties).toMatchObject({ translations, default_locale: 'de' });
  expect(await at.diff()).toEqual({ code: 0, output: '' });

  const changed = { ...translations, de: { total: 'Gesamt' } };
  const write = (fields: object) =>
    at.write('invoice/template.json', JSON.stringify({ ...at.json('invoice/template.json'), ...fields }));
  write({ translations: changed });
  const { code, output } = await at.diff();
  expect(code).toBe(1);
  expect(output).toMatch(/^-.*"Summe"/m);
  expect(output).toMatch(/^\+.*"Gesamt"/m);
  expect((await at.push()).output).toContain('invoice: pushed');
  expect(await at.get(id)).toMatchObject({ translations: changed, default_locale: 'de' });

  at.write('invoice/template.html', '<p>Total</p>');
  write({ translations: undefined, default_locale: undefined });
  expect((await at.push()).output).toContain('invoice: pushed');
  expect(await at.get(id)).not.toHaveProperty('translations');
  expect(await at.diff()).toEqual({ code: 0, output: '' });
});
