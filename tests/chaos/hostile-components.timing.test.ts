import { describe, expect, test } from 'bun:test';
import { inTime } from '../support/service/in-time.ts';
import { pdfText, toolsAvailable } from '../support/pdf/pdf.ts';
import { ReactItems } from '../support/batch/react-items.ts';

let reached = 0;
const privateServer = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    reached += 1;
    return new Response('secret', { headers: { 'access-control-allow-origin': '*' } });
  },
});
privateServer.unref();

const items = ReactItems.share();
/** With a short deadline, for components that must exceed it. */
const withShortDeadline = ReactItems.share({ RENDER_TIMEOUT_MS: '3000' }, {});
const strict = ReactItems.share({}, { reactTimeoutMs: 1_500 });

describe('hostile components', () => {
  const endless: [name: string, react: string][] = [
    ['while (true)', 'export default () => { while (true); }'],
    ['while (true) in the module', 'while (true);'],
    ['endless recursion', 'const A = () => <p><A /><A /></p>; export default A;'],
  ];
  test.each(endless)(
    '%s fails, at the latest at the deadline',
    async (_name, react) => {
      expect(await withShortDeadline.errorOf(react)).toMatch(
        /^RENDER_TIMEOUT: not finished after 3000 ms, in phase react|^COMPONENT_ERROR|^RENDER_FAILED/,
      );
      await withShortDeadline.expectNextIsPrinted();
    },
    60_000,
  );

  test('reactTimeoutMs limits compiling and rendering', async () => {
    const error = await strict.errorOf('export default () => { while (true); }');
    expect(error).toBe('RENDER_TIMEOUT: not finished after 1500 ms, in phase react');
    await strict.expectNextIsPrinted();
  });

  test('with 10 million nodes fail', async () => {
    const react = 'export default () => Array.from({ length: 1e7 }, (_, index) => <i key={index}>x</i>)';
    expect(await withShortDeadline.errorOf(react)).toMatch(
      /^(RENDER_TIMEOUT|RENDER_FAILED|COMPONENT_ERROR): /,
    );
    await withShortDeadline.expectNextIsPrinted();
  }, 60_000);

  test('that exhaust their memory fail', async () => {
    expect(
      await withShortDeadline.errorOf('export default () => { const held = []; for (;;) held.push({}); }'),
    ).toMatch(/^RENDER_(TIMEOUT|FAILED): /);
    await withShortDeadline.expectNextIsPrinted();
  }, 60_000);

  test('cannot reach a private address', async () => {
    const url = `http://127.0.0.1:${privateServer.port}/`;
    const react = `export default () => {
      fetch('${url}fetch');
      const request = new XMLHttpRequest();
      request.open('GET', '${url}xhr', false);
      try { request.send(); } catch {}
      return <p>got {request.responseText.includes('secret') ? 'the secret' : 'nothing'}<img src="${url}image" alt="" /></p>;
    }`;
    await items.expectText(react, 'got nothing');
    expect(reached).toBe(0);
  });

  test("leave nothing behind for the account's next document", async () => {
    const leave = `globalThis.left = 1; Array.prototype.left = 1; try { document.cookie = 'left=1'; } catch {} window.name = 'left';
      setInterval(() => document.documentElement.replaceChildren('left'), 1);`;
    await items.expectText(
      `export default () => { ${leave} return <p>text<script>{''}</script></p>; }`,
      'text',
    );
    const react = `export default () => <p>{[typeof left, typeof [].left, window.name].join('|')}</p>`;
    await items.expectText(react, 'undefined|undefined|');
    const html =
      '<p></p><script>document.querySelector("p").textContent = [typeof left, typeof React, typeof platenRenderComponent].join()</script>';
    const { body } = await inTime(() => items.service().post('/v1/generate', { html }));
    if (toolsAvailable)
      expect((await pdfText(await items.service().download(body.url))).trim()).toBe(
        'undefined,undefined,undefined',
      );
  });

  test('cannot break the service by navigating, opening dialogs or overwriting built-ins', async () => {
    const react = `location.href = 'http://127.0.0.1:1/'; alert(1); confirm(2); window.close();
      JSON.parse = null; document.write('gone');
      export default () => <p>still here</p>`;
    const { status, body } = await inTime(() => items.send(react));
    if (status !== 200) expect(body.error.details[0].code).toBe('COMPONENT_ERROR');
    await items.expectNextIsPrinted();
  });
});
