import { describe, expect, test } from 'bun:test';
import { page } from '../support/ai-provider.ts';
import { aiServices, GENERATE_TEMPLATE as PATH } from '../support/ai-services.ts';

const { provider, service, unconfigured } = aiServices();

const refused: Record<string, [body: unknown, field: string, says: string]> = {
  'no prompt': [{}, 'prompt', 'a text of 1 to 2000 characters'],
  'an empty prompt': [{ prompt: '' }, 'prompt', '1 to 2000'],
  'a prompt of spaces': [{ prompt: ' \n\t ' }, 'prompt', 'must not be blank'],
  'a prompt of 2,001 characters': [{ prompt: 'x'.repeat(2_001) }, 'prompt', '1 to 2000'],
  'a prompt of 2,001 emoji': [{ prompt: '🚲'.repeat(2_001) }, 'prompt', '1 to 2000'],
  'a prompt with half a surrogate pair': [{ prompt: 'a\ud800' }, 'prompt', 'a text'],
  'a prompt that is a number': [{ prompt: 7 }, 'prompt', 'a text'],
  'a prompt that is a list': [{ prompt: ['x'] }, 'prompt', 'a text'],
  'an unknown type': [{ prompt: 'x', type: 'poster' }, 'type', '"invoice", "receipt"'],
  'a type of null': [{ prompt: 'x', type: null }, 'type', '"invoice"'],
  'a type in capitals': [{ prompt: 'x', type: 'Invoice' }, 'type', '"invoice"'],
  'an unknown style': [{ prompt: 'x', style: 'baroque' }, 'style', '"professional", "modern"'],
  'variables that are a text': [{ prompt: 'x', variables: 'total' }, 'variables', 'at most 100 names'],
  'a variable with spaces': [
    { prompt: 'x', variables: ['a', 'total amount'] },
    'variables[1]',
    'a name such as total',
  ],
  'a variable that is empty': [{ prompt: 'x', variables: [''] }, 'variables[0]', 'a name'],
  'a variable that is a number': [{ prompt: 'x', variables: [1] }, 'variables[0]', 'a name'],
  'a variable that is an expression': [{ prompt: 'x', variables: ['{{a}}'] }, 'variables[0]', 'a name'],
  'a variable with a helper': [{ prompt: 'x', variables: ['#each items'] }, 'variables[0]', 'a name'],
  'a variable that ends in a full stop': [{ prompt: 'x', variables: ['a.'] }, 'variables[0]', 'a name'],
  'a variable that begins with a digit': [{ prompt: 'x', variables: ['1a'] }, 'variables[0]', 'a name'],
  'a variable of prototypes': [{ prompt: 'x', variables: ['__proto__'] }, 'variables[0]', 'a name'],
  'a variable with a line break': [{ prompt: 'x', variables: ['a\nb'] }, 'variables[0]', 'a name'],
  'a variable of 101 characters': [{ prompt: 'x', variables: ['a'.repeat(101)] }, 'variables[0]', '1 to 100'],
  '101 variables': [
    { prompt: 'x', variables: Array.from({ length: 101 }, (_, i) => `v${i}`) },
    'variables',
    'at most 100',
  ],
  '1,000 variables': [
    { prompt: 'x', variables: Array.from({ length: 1_000 }, (_, i) => `v${i}`) },
    'variables',
    'at most 100',
  ],
  'an unknown field': [
    { prompt: 'x', temperature: 1 },
    'temperature',
    'known are prompt, type, style, variables',
  ],
  'a body that is a list': [[], '', 'the body must be an object'],
  'a prompt of 1 MB': [{ prompt: 'x'.repeat(1_000_000) }, 'prompt', '1 to 2000'],
};

describe('refuses', () => {
  test.each(Object.entries(refused))('%s', async (_, [sent, field, says]) => {
    // With a provider and without: what is wrong with a request does not depend on it.
    for (const each of [service(), unconfigured()]) {
      const { status, body } = await each.post(PATH, sent);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.message).toContain(says);
      if (field) expect(body.error.details[0].path).toBe(field);
    }
    expect(provider.requests).toHaveLength(0);
  });

  test('nothing of 2,000 characters, whatever their bytes and UTF-16 units', async () => {
    for (const prompt of ['x'.repeat(2_000), 'é'.repeat(2_000), '🚲'.repeat(2_000)])
      expect((await service().post(PATH, { prompt })).status).toBe(200);
    expect(provider.requests.at(-1)?.body.messages[1].content).toContain('🚲'.repeat(2_000));
  });

  test('100 variables are not too many', async () => {
    const variables = Array.from({ length: 100 }, (_, i) => `v${i}`);
    provider.reset(() => page(variables.map((name) => `{{${name}}}`).join('')));
    expect((await service().post(PATH, { prompt: 'x', variables })).body.variables).toEqual(variables);
  });

  test('a request without a key', async () => {
    expect((await service().post(PATH, { prompt: 'x' }, null)).status).toBe(401);
  });
});
