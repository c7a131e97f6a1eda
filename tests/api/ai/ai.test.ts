import { describe, expect, test } from 'bun:test';
import { TEMPLATE_HELPERS, usageOf } from '@platen/templates';
import { generateTemplateExamples } from '../../../plugins/ai/examples.ts';
import { completion, message, page, PROVIDER_KEY } from '../../support/ai/provider.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';
import { TestService } from '../../support/service/service.ts';
import { aiServices, GENERATE_TEMPLATE as PATH } from '../../support/ai/services.ts';

const { provider, service, unconfigured } = aiServices();

describe('a template', () => {
  test('is requested with type, style and variables, and returned with the variables it uses', async () => {
    const html = page(
      '<h1>{{invoice_number}}</h1>{{#each items}}<p>{{@index}} {{description}}: {{formatCurrency price ../currency}}</p>{{/each}}{{#if paid}}Paid{{/if}}{{customer.name}}',
    );
    provider.reset(() => html);
    const { status, body } = await service().post(PATH, {
      prompt: 'For a bicycle workshop',
      type: 'invoice',
      style: 'colorful',
      variables: ['invoice_number', 'items', 'description', 'items.price', 'customer', 'invoice_number'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      html,
      variables: [
        'invoice_number',
        'items',
        'description',
        'price',
        'currency',
        'paid',
        'customer.name',
        'items.price',
        'customer',
      ],
      type: 'invoice',
      style: 'colorful',
    });
    const [request] = provider.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${PROVIDER_KEY}`,
      'content-type': 'application/json',
    });
    expect(request?.body).toMatchObject({ model: 'test-model', stream: false });
    const [system, user] = request?.body.messages ?? [];
    for (const helper of TEMPLATE_HELPERS.values()) expect(system?.content).toContain(usageOf(helper));
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('No script') });
    expect(user.content).toContain('For a bicycle workshop');
    expect(user.content).toContain('an invoice: ');
    expect(user.content).toContain('lively');
    expect(user.content).toContain('`invoice_number`, `items`, `description`, `items.price`, `customer`.');
  });

  test('can be saved, and passed to generate with data', async () => {
    const { body } = await service().post(PATH, { prompt: 'A letter' });
    const saved = await service().post('/v1/templates', { name: 'Letter', html_content: body.html });
    expect(saved.status).toBe(201);
    expect((await service().post('/v1/generate', { html: body.html, data: { name: 'Ada' } })).status).toBe(
      200,
    );
  });

  test('has type other and style professional by default', async () => {
    const { body } = await service().post(PATH, { prompt: 'x' });
    expect(body).toMatchObject({ type: 'other', style: 'professional', variables: ['name'] });
  });

  test('is requested again, naming the missing variables, if it does not use them', async () => {
    provider.reset((_, count) => (count === 1 ? page('{{total}}') : page('{{total}}{{tax.rate}}')));
    const { status, body } = await service().post(PATH, { prompt: 'x', variables: ['total', 'tax.rate'] });
    expect([status, body.variables]).toEqual([200, ['total', 'tax.rate']]);
    expect(provider.requests[1]?.body.messages.at(-1).content).toContain(
      'does not use the variables tax.rate.',
    );
  });

  test('is rejected if it twice does not use the requested variables', async () => {
    const { status, body } = await service().post(PATH, { prompt: 'x', variables: ['total'] });
    expect([status, body.error.details[0].message]).toEqual([
      502,
      'the last template was rejected; reason: missing variables',
    ]);
  });

  test('may have a variable with the name of a helper', async () => {
    provider.reset(() => page('{{this.sum}}'));
    const { body } = await service().post(PATH, { prompt: 'x', variables: ['sum'] });
    expect(body.variables).toEqual(['sum']);
  });

  test('is requested again, shorter, if it was truncated', async () => {
    provider.reset((_, count) =>
      completion(count === 1 ? page('x').slice(0, 60) : page('x'), count === 1 ? 'length' : 'stop'),
    );
    expect((await service().post(PATH, { prompt: 'x' })).status).toBe(200);
    expect(provider.requests[1]?.body.messages.at(-1).content).toContain('write a shorter one');
  });

  test('does not count against the quota and is not recorded', async () => {
    const email = 'poor@example.com';
    const key = await service().newKey('free', email);
    await service().accounts.set(email, { monthlyLimit: 0 });
    expect((await service().post(PATH, { prompt: 'x' }, key)).status).toBe(200);
    expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
  });

  test.each(Object.entries(generateTemplateExamples))(
    'accepts the documented example: %s',
    async (_, body) => {
      provider.reset(() =>
        page('{{invoice_number}}{{customer.name}}{{#each repairs}}{{work}}{{hours}}{{/each}}'),
      );
      expect((await service().post(PATH, body)).status).toBe(200);
    },
  );
});

describe('the messages interface', () => {
  const anthropic = sharedService({ env: provider.env('anthropic') });

  test('has its own request format, and text blocks are joined', async () => {
    provider.reset(() =>
      Response.json({
        type: 'message',
        content: [
          { type: 'thinking', thinking: '<script>' },
          { type: 'text', text: page('{{name}}').slice(0, 50) },
          { type: 'text', text: page('{{name}}').slice(50) },
        ],
        stop_reason: 'end_turn',
      }),
    );
    const { status, body } = await anthropic().post(PATH, { prompt: 'A letter', type: 'letter' });
    expect([status, body.html]).toEqual([200, page('{{name}}')]);
    const [request] = provider.requests;
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({ 'x-api-key': PROVIDER_KEY, 'anthropic-version': '2023-06-01' });
    expect(request?.headers['authorization']).toBeUndefined();
    expect(request?.body).toMatchObject({
      model: 'test-model',
      max_tokens: 8192,
      system: expect.stringContaining('No script'),
      messages: [{ role: 'user', content: expect.stringContaining('A letter') }],
    });
  });

  test('a truncated response and a response with a script are requested again', async () => {
    for (const bad of [
      () => message(page('x').slice(0, 60), 'max_tokens'),
      () => message(page('<script>1</script>')),
    ]) {
      provider.reset((_, count) => (count === 1 ? bad() : page('x')));
      expect((await anthropic().post(PATH, { prompt: 'x' })).status).toBe(200);
      expect(provider.requests[1]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
        'user',
        'assistant',
        'user',
      ]);
    }
  });

  test('a refusal is an error', async () => {
    provider.reset(() => message('', 'refusal'));
    const { status, body } = await anthropic().post(PATH, { prompt: 'x' });
    expect([status, body.error.message]).toEqual([502, 'the AI provider refused to answer this prompt']);
  });
});

test('without a provider the response is 503', async () => {
  const { status, body } = await unconfigured().post(PATH, { prompt: 'x' });
  expect([status, body.error.code]).toEqual([503, 'AI_NOT_CONFIGURED']);
});

describe('concurrent requests', () => {
  test('are limited to three per account and to the configured total; others get 429', async () => {
    const release = Promise.withResolvers<void>();
    await using own = await TestService.start({
      env: provider.env(),
      config: { plugins: { ai: { concurrency: 4 } } },
    });
    provider.reset(async () => {
      await release.promise;
      return page('x');
    });
    const [one, two] = [await own.newKey(), await own.newKey()];
    const running = [one, one, one, two].map((key) => own.post(PATH, { prompt: 'x' }, key));
    await until(() => provider.requests.length === 4);
    for (const key of [one, two]) {
      const { status, body, headers } = await own.post(PATH, { prompt: 'x' }, key);
      expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    release.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await own.post(PATH, { prompt: 'x' }, one)).status).toBe(200);
  });
});

test('a caller that disconnects aborts the request to the provider', async () => {
  provider.reset(() => new Promise(() => undefined));
  const caller = new AbortController();
  const call = service()
    .send(PATH, { prompt: 'x' }, { signal: caller.signal })
    .catch((error: unknown) => error);
  await until(() => provider.requests.length === 1);
  caller.abort();
  await call;
  await until(() => provider.requests[0]?.signal.aborted === true);
  // The slot is free again.
  provider.reset(() => page('x'));
  for (let i = 0; i < 4; i += 1) expect((await service().post(PATH, { prompt: 'x' })).status).toBe(200);
});

const rejected: Record<string, [body: unknown, field: string, says: string]> = {
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
  'a capitalised type': [{ prompt: 'x', type: 'Invoice' }, 'type', '"invoice"'],
  'an unknown style': [{ prompt: 'x', style: 'baroque' }, 'style', '"professional", "modern"'],
  'variables that are a string': [{ prompt: 'x', variables: 'total' }, 'variables', 'at most 100 names'],
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
  'the variable __proto__': [{ prompt: 'x', variables: ['__proto__'] }, 'variables[0]', 'a name'],
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
    'valid fields are prompt, type, style, variables',
  ],
  'a body that is a list': [[], '', 'the body must be an object'],
  'a prompt of 1 MB': [{ prompt: 'x'.repeat(1_000_000) }, 'prompt', '1 to 2000'],
};

describe('POST /v1/ai/generate-template rejects', () => {
  test.each(Object.entries(rejected))('%s', async (_, [sent, field, says]) => {
    // Validation does not depend on whether a provider is configured.
    for (const each of [service(), unconfigured()]) {
      const { status, body } = await each.post(PATH, sent);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.message).toContain(says);
      if (field) expect(body.error.details[0].path).toBe(field);
    }
    expect(provider.requests).toHaveLength(0);
  });

  test('a request without a key', async () => {
    expect((await service().post(PATH, { prompt: 'x' }, null)).status).toBe(401);
  });
});

describe('POST /v1/ai/generate-template accepts', () => {
  test('a prompt of 2,000 characters, whatever its size in bytes or UTF-16 units', async () => {
    for (const prompt of ['x'.repeat(2_000), 'é'.repeat(2_000), '🚲'.repeat(2_000)])
      expect((await service().post(PATH, { prompt })).status).toBe(200);
    expect(provider.requests.at(-1)?.body.messages[1].content).toContain('🚲'.repeat(2_000));
  });

  test('a list of 100 variables', async () => {
    const variables = Array.from({ length: 100 }, (_, i) => `v${i}`);
    provider.reset(() => page(variables.map((name) => `{{${name}}}`).join('')));
    expect((await service().post(PATH, { prompt: 'x', variables })).body.variables).toEqual(variables);
  });
});
