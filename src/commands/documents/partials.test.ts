import { describe, expect, test } from 'bun:test';
import { addPartials, lineOf } from './partials.ts';

const partials = [
  { name: 'address', file: 'partials/address.html', source: 'one\n{{> city}}' },
  { name: 'city', file: 'partials/city.html', source: '{{city}}' },
  { name: 'unused', file: 'partials/unused.html', source: 'unused' },
];

describe('partials of a folder', () => {
  test('are added if the template calls them, also through each other', () => {
    expect(addPartials('<p>{{> address}}</p>', partials)).toBe(
      '<p>{{> address}}</p>\n{{#*inline "address"}}one\n{{> city}}{{/inline}}\n{{#*inline "city"}}{{city}}{{/inline}}\n',
    );
    expect(addPartials('{{#> city}}{{/city}}', partials)).toContain('{{#*inline "city"}}');
    expect(addPartials('<p>{{city}}</p>', partials)).toBe('<p>{{city}}</p>');
  });

  test('have their own lines in messages', () => {
    for (const template of ['<p>\n{{> address}}', '<p>\n{{> address}}\n']) {
      const place = (line: number) => lineOf(line, { template, file: 'template.html', partials });
      expect(place(2)).toEqual({ file: 'template.html', line: 2, addedColumns: 0 });
      expect(place(3)).toEqual({ file: 'partials/address.html', line: 1, addedColumns: 22 });
      expect(place(4)).toEqual({ file: 'partials/address.html', line: 2, addedColumns: 0 });
      expect(place(5)).toEqual({ file: 'partials/city.html', line: 1, addedColumns: 19 });
    }
  });
});
