import { expect, test } from 'bun:test';
import { readCookies } from './cookies.ts';

test('cookies have the fields of Gotenberg, whatever their case is', () => {
  const given = [
    {
      name: 'a',
      value: '1',
      domain: 'example.com:8080',
      path: '/x',
      secure: true,
      httpOnly: true,
      SameSite: 'lax',
    },
    { name: 'b', value: '2', domain: '.example.com', path: null },
  ];
  expect(readCookies(JSON.stringify(given))).toEqual([
    {
      name: 'a',
      value: '1',
      domain: 'example.com',
      path: '/x',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    },
    {
      name: 'b',
      value: '2',
      domain: '.example.com',
      path: undefined,
      secure: undefined,
      httpOnly: undefined,
      sameSite: undefined,
    },
  ]);
  expect(readCookies('null')).toEqual([]);
});

test.each([
  ['foo', "unmarshal cookies: invalid character 'o' in literal false (expecting 'a')"],
  ['[{"name":"a","value":"b"}]', 'cookie 0 must have its name, value and domain set'],
  [
    '{"name":"a"}',
    'unmarshal cookies: json: cannot unmarshal object into Go value of type []chromium.Cookie',
  ],
  ['[{"name":1}]', 'unmarshal cookies: json: cannot unmarshal number into Go value of type string'],
  ['[{"secure":"yes"}]', 'unmarshal cookies: json: cannot unmarshal string into Go value of type bool'],
  [
    '[{"name":"a","value":"b","domain":"c","sameSite":"x"}]',
    'unmarshal cookies: unknown CookieSameSite value: x',
  ],
])('%s is refused', (given, message) => {
  expect(() => readCookies(given)).toThrow(message);
});
