import { expect, test } from 'bun:test';
import { compileTemplate, inspectTemplate, TEMPLATE_HELPERS } from '@platen/templates';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { checkTemplateHtml } from '../../plugins/ai/tasks.ts';

/** Fragments that random templates are built from. The check rejects most of the results. */
const PIECES = [
  '{{#if a}}',
  '{{/if}}',
  '{{else}}',
  '{{#unless b}}',
  '{{/unless}}',
  '{{#each c}}',
  '{{/each}}',
  '{{x}}',
  '{{! }}',
  '{{~#if a~}}',
  '{{~/if}}',
  '{{{x}}}',
  '{{concat "java" "script:"}}',
  '<style>',
  '</style>',
  '<svg>',
  '</svg>',
  '<p title="',
  '">',
  '"',
  "'",
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="{{x}}" alt="',
  '<a href="',
  '</a>',
  'javascript:alert(1)',
  'https://example.com/',
  '<table>',
  '</table>',
  '<tr onclick="1">',
  '<tr>',
  '<td>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<title>',
  '</title>',
  'url(http://e/)',
  '@import "http://e/";',
  'onclick="1"',
  'class="x"',
  ' ',
  '>',
  '<',
  '</',
  '/',
  '=',
  '<g>',
  '</g>',
  '<path d="',
  'style="',
  'u',
  'rl(',
  'http://e/)',
  'java',
  'script:',
  '<scr',
  'ipt>',
  'on',
  'click',
  'src="http://e/"',
  '<div ',
  '</div>',
  '<p>',
  '</p>',
  '<b ',
  'text',
  '&lt;',
  '&#106;',
  '<text>',
  '<pre>',
  '<desc>',
  '</body>',
  '<body>',
] as const;

/** Creates a pseudo-random generator that yields the same sequence in every run. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return { next, pick };
}

type Random = ReturnType<typeof createRandom>;

function randomTemplate(random: Random, depth = 0): string {
  const inner = () => randomTemplate(random, depth + 1);
  const shape = depth > 3 ? 1 : random.next();
  if (shape < 0.3) return `{{#if a${depth}}}${inner()}{{else}}${inner()}{{/if}}`;
  if (shape < 0.4) return `{{#unless a${depth}}}${inner()}{{/unless}}`;
  if (shape < 0.5) return `<p title="${inner()}">${inner()}</p>`;
  if (shape < 0.58) return `<svg>${inner()}</svg>`;
  if (shape < 0.66) return `<style>${inner()}</style>`;
  if (shape < 0.72) return `<p ${inner()}>${inner()}</p>`;
  if (shape < 0.85) return inner() + inner();
  return random.pick(PIECES);
}

const ACTIVE = new Set(
  'script iframe object embed link base form input use image video audio frame source template'.split(' '),
);

/**
 * Lists the elements and attributes of a parsed document that run or load something. Shares no code with the
 * check under test.
 */
function findActive(node: DefaultTreeAdapterTypes.ParentNode): string[] {
  return node.childNodes.flatMap((child) => {
    if (!('attrs' in child)) return [];
    const found = child.attrs
      .filter(
        ({ name, value }) =>
          name.startsWith('on') ||
          (name === 'href' && /^[^/#]*:/.test(value) && !/^(https?|mailto|tel):/i.test(value)) ||
          (name === 'src' && /:|^\/\//.test(value) && !value.startsWith('data:image/')) ||
          (name === 'style' && /url\(\s*["']?http|@import/i.test(value)),
      )
      .map(({ name, value }) => `${child.tagName} ${name}=${value}`);
    const text = child.childNodes.map((each) => ('value' in each ? each.value : '')).join('');
    if (child.tagName === 'style' && /url\(\s*["']?http|@import/i.test(text)) found.push(`style ${text}`);
    if (ACTIVE.has(child.tagName)) found.push(child.tagName);
    return [...found, ...findActive(child)];
  });
}

test('a random template that passes the check renders without active content', () => {
  const random = createRandom(2026);
  let [accepted, rendered] = [0, 0];
  for (let count = 0; count < 2_000; count += 1) {
    const source = `<!DOCTYPE html><html><head><title>t</title></head><body>${randomTemplate(random)}</body></html>`;
    const inspected = inspectTemplate({ source });
    if (!inspected.ok || !checkTemplateHtml({ pieces: inspected.value.pieces }).ok) continue;
    accepted += 1;
    for (let rendering = 0; rendering < 4; rendering += 1) {
      const flags = ['a', 'b', 'a0', 'a1', 'a2', 'a3'].map((name) => [name, random.next() < 0.5]);
      const data = {
        ...Object.fromEntries(flags),
        c: random.pick([[], [1, 2]]),
        x: 'x" onclick=1 <script>alert(1)</script>',
      };
      const compiled = compileTemplate({ source, data });
      if (!compiled.ok) continue;
      rendered += 1;
      for (const scriptingEnabled of [true, false]) {
        const active = findActive(parse(compiled.value.html, { scriptingEnabled }));
        expect({ source, active }).toEqual({ source, active: [] });
      }
    }
  }
  expect(accepted).toBeGreaterThan(100);
  expect(rendered).toBeGreaterThan(accepted);
}, 60_000);

test.each(
  [...TEMPLATE_HELPERS.values()].flatMap(({ name, argumentCount: [count], requiredOptions = [], output }) => {
    const call = `{{${name}${' x'.repeat(count)}${requiredOptions.map((option) => ` ${option}=x`).join('')}}}`;
    return [
      [call, 'text', output !== 'css'] as const,
      [`<style>p::before { content: ${call} }</style>`, 'a style sheet', output !== 'html'] as const,
      [`<p title="${call}">x</p>`, 'an attribute', output === undefined] as const,
    ];
  }),
)("%s in %s: accepted only if the helper's output is safe there", (tag, _, isAccepted) => {
  const style = tag.startsWith('<style') ? tag : '';
  const source = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title>${style}</head><body>${style ? '' : tag}</body></html>`;
  const inspected = inspectTemplate({ source });
  if (!inspected.ok) throw new Error(inspected.message);
  expect(checkTemplateHtml({ pieces: inspected.value.pieces }).ok).toBe(isAccepted);
});
