import type { PageBody } from './schemas.ts';

/** What a page does after it has loaded, in this order. */
export type PageSteps = Pick<
  PageBody,
  'addScriptTag' | 'bestAttempt' | 'waitForTimeout' | 'waitForFunction' | 'waitForSelector' | 'waitForEvent'
> & { scrollPage?: boolean | undefined };

const DEFAULT_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Returns an expression that adds tags to a page and waits, as browserless does with Puppeteer; `undefined`
 * if there is nothing to do. Its value is a promise of true, which rejects with the text of the error. It
 * runs only in the page, with the scripts of the caller in it.
 */
export function pageScript(steps: PageSteps): string | undefined {
  const { addScriptTag = [], waitForTimeout = 0, waitForFunction, waitForSelector, waitForEvent } = steps;
  const parts = [
    ...addScriptTag.map((tag) => `await addScript(${JSON.stringify(tag)});`),
    ...(waitForTimeout > 0 ? [`await sleep(${waitForTimeout});`] : []),
    ...(waitForFunction
      ? [waitFor('function', waitForFunction, functionCheck(waitForFunction.fn), pollOf(waitForFunction))]
      : []),
    ...(waitForSelector
      ? [waitFor(`selector ${waitForSelector.selector}`, waitForSelector, selectorCheck(waitForSelector))]
      : []),
    ...(waitForEvent ? [eventWait(waitForEvent)] : []),
    ...(steps.scrollPage === true ? ['await scrollThrough();'] : []),
  ];
  if (parts.length === 0) return undefined;
  return `(async () => {
${TOOLS}
const attempt = (work) => ${steps.bestAttempt === true ? 'work.catch(() => {})' : 'work'};
${parts.join('\n')}
return true;
})()`;
}

function pollOf({ polling }: NonNullable<PageSteps['waitForFunction']>): number {
  return typeof polling === 'number' ? polling : POLL_MS;
}

function waitFor(
  what: string,
  { timeout = DEFAULT_TIMEOUT_MS }: { timeout?: number },
  check: string,
  pollMs = POLL_MS,
): string {
  return `await attempt(poll(${check}, ${JSON.stringify({ what, timeout, pollMs })}));`;
}

function functionCheck(fn: string): string {
  return `async () => { const value = (\n${fn}\n); return await (typeof value === 'function' ? value() : value); }`;
}

function selectorCheck({
  selector,
  hidden = false,
  visible = false,
}: NonNullable<PageSteps['waitForSelector']>): string {
  const shown = `const element = document.querySelector(${JSON.stringify(selector)});
    const isShown = element !== null && getComputedStyle(element).visibility !== 'hidden' && element.getClientRects().length > 0;`;
  if (hidden) return `async () => { ${shown} return !isShown; }`;
  return `async () => { ${shown} return ${visible ? 'isShown' : 'element !== null'}; }`;
}

function eventWait({ event, timeout = DEFAULT_TIMEOUT_MS }: NonNullable<PageSteps['waitForEvent']>): string {
  const name = JSON.stringify(event);
  const happened = `new Promise((resolve) => document.addEventListener(${name}, resolve, { once: true }))`;
  return `await attempt(within(${happened}, ${JSON.stringify({ what: `event ${event}`, timeout })}));`;
}

const TOOLS = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const expired = ({ what, timeout }) => new Error('Waiting for ' + what + ' failed: ' + timeout + 'ms exceeded');
const within = (work, limit) => limit.timeout === 0 ? work
  : Promise.race([work, sleep(limit.timeout).then(() => { throw expired(limit) })]);
const poll = async (check, limit) => {
  const until = limit.timeout === 0 ? Infinity : performance.now() + limit.timeout;
  while (!(await check())) {
    if (performance.now() >= until) throw expired(limit);
    await sleep(limit.pollMs);
  }
};
const addScript = ({ url, content = '', type = 'text/javascript', id }) => new Promise((resolve, reject) => {
  const element = document.createElement('script');
  element.type = type;
  if (id) element.id = id;
  element.addEventListener('error', () => reject(new Error('Could not load script ' + (url ?? ''))));
  if (url) {
    element.addEventListener('load', resolve);
    element.src = url;
  } else element.text = content;
  document.head.append(element);
  if (!url) resolve();
});
const scrollThrough = async () => {
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo(0, top);
    await sleep(20);
  }
  scrollTo(0, 0);
};`;
