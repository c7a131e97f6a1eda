import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { AiProvider, page } from '../../support/ai/provider.ts';
import { hostileReplies } from '../../support/ai/hostile-replies.ts';
import { hostileBlocks } from '../../support/ai/hostile-blocks.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

setDefaultTimeout(60_000);
const provider = new AiProvider();
afterAll(() => provider[Symbol.asyncDispose]());
const service = sharedService({ env: provider.env() });

const generate = () => service().post('/v1/ai/generate-template', { prompt: 'An invoice' });

test('there are more than 100 hostile responses', () => {
  expect(Object.keys(hostileReplies).length).toBeGreaterThan(100);
});

describe('a hostile response is rejected, and the reason is sent to the model once:', () => {
  test.each(casesOfSuite(Object.entries({ ...hostileReplies, ...hostileBlocks }), 12))(
    '%s',
    async (_name, answer) => {
      provider.reset(() => answer);
      const { status, body } = await generate();
      expect({ status, code: body.error?.code, asked: provider.requests.length }).toEqual({
        status: 502,
        code: 'AI_ERROR',
        asked: 2,
      });
      // The message is in the service's own words.
      expect(body.error.details[0].message).toMatch(/^the last template was rejected; reason: [a-zA-Z ]+$/);
      expect(JSON.stringify(body)).not.toContain('evil');
      const [, again] = provider.requests;
      expect(again?.body.messages).toHaveLength(4);
      expect(again?.body.messages.at(-1).content).toStartWith('That template cannot be used: ');
    },
  );
});

/** Responses that resemble hostile ones and are harmless. */
const harmless: Readonly<Record<string, [answer: string, html?: string]>> = {
  'text around the document': [
    `Here it is:\n\n${page('x')}\n\nI added no <script>alert(1)</script>.`,
    page('x'),
  ],
  'a fence': ['```html\n' + page('x') + '\n```\nNote the `{{x}}`.', page('x')],
  'an unclosed fence': ['```\n' + page('x'), page('x')],
  reasoning: [`<think>Perhaps <!DOCTYPE html> with <script>?</think>\n${page('x')}`, page('x')],
  'lower case and whitespace': [page('x').replace('DOCTYPE', 'doctype').replaceAll('><', '>\r\n  <')],
  'text that looks like code': [page('<p>javascript: and onclick="x" and url(http://x) &lt;script&gt;</p>')],
  'blocks around cells': [
    page(
      '<table><thead><tr>{{#if a}}<th>x</th>{{else}}<th colspan="2">y</th>{{/if}}</tr></thead><tbody>{{#each items}}<tr {{#if paid}}class="paid"{{/if}} style="color:{{color}}"><td>{{inc @index}}</td><td style="width: {{width}}%; text-align: {{#if right}}right{{else}}left{{/if}}">{{nl2br name}}</td></tr>{{/each}}</tbody></table>',
    ),
  ],
  'links and images': [
    page(
      '<a href="https://example.com/?a={{id}}">x</a><a href="{{url}}">y</a><a href="mailto:{{email}}">z</a><a href="#top">t</a><img src="{{logo}}" alt="{{company.name}}"><img src="data:image/png;base64,iVBORw0KGgo=" alt="">',
    ),
  ],
  styles: [
    page(
      '<div style="background:url(data:image/png;base64,iVBORw0KGgo=)">x</div>',
      '<style>@page{size:A4 landscape;margin:{{margin}} }@page{@bottom-right{content:"Page " counter(page) {{cssString note}} } }:root{--accent:{{default color "#336699"}} }@media print{a::after{content:"\\201C"}}{{#if wide}}body{width:calc(100% - 10mm)}{{/if}}</style>',
    ),
  ],
  'nested blocks': [
    page(
      '{{#each items as |item i|}}{{#with item.link as |link|}}<a href="{{link}}">{{inc i}}</a>{{/with}}{{#item.tags}}<a href="{{this}}">y</a>{{/item.tags}}{{/each}}{{#with (first images)}}<img src="{{url}}" alt="">{{/with}}{{#with logo}}<img src="{{this}}" alt="">{{/with}}{{#each (range 1 3)}}{{this}}{{/each}}{{#with "x"}}{{this}}{{/with}}',
      '<style>q::before{content:"\\201C" {{cssString quote}} }</style>',
    ),
  ],
  drawings: [
    page(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10mm"><defs><linearGradient id="g"><stop offset="0" stop-color="{{color}}"/></linearGradient></defs><rect fill="url(#g)" width="{{percent}}" height="5"/><path d="M0 0h10" stroke="#000"/></svg>{{qrcode url}}{{barcode code type="ean13"}}',
    ),
  ],
};

describe('a harmless response is accepted:', () => {
  test.each(Object.entries(harmless))('%s', async (_name, [answer, html = answer]) => {
    provider.reset(() => answer);
    const { status, body } = await generate();
    expect({
      status,
      asked: provider.requests.slice(1).map((request) => request.body.messages.at(-1).content),
    }).toEqual({ status: 200, asked: [] });
    expect(body.html).toBe(html);
  });
});

test('a rejected response is replaced by the second one', async () => {
  provider.reset((_, count) => (count === 1 ? page('<script>1</script>') : page('{{name}}')));
  const { status, body } = await generate();
  expect(status).toBe(200);
  expect(body).toEqual({ html: page('{{name}}'), variables: ['name'], type: 'other', style: 'professional' });
  const roles = provider.requests[1]?.body.messages.map(({ role }: { role: string }) => role);
  expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
  expect(provider.requests[1]?.body.messages[2].content).toBe(page('<script>1</script>'));
  expect(provider.requests[1]?.body.messages[3].content).toContain('<script> is not allowed');
});
