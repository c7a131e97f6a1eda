import type { DevState, Failure, Finding, Mark, PrintedPages } from './state.ts';

/** The pages that must be loaded before they replace the ones before. */
const WAITED_PAGES = 2;
const A4_RATIO = 210 / 297;

const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const pageList = find('#pages');
const select = document.querySelector<HTMLSelectElement>('#documents')!;
const showMarks = document.querySelector<HTMLInputElement>('#show-marks')!;

/** Work that ends sooner is not shown, because its text would flicker. */
const QUIET_MS = 300;

let shown: PrintedPages | null = null;
/** The version that is being loaded or shown. */
let wanted = 0;

/** The last state that arrived. */
let current: DevState | null = null;
/** The new page whose image is awaited; `null` when the pages are complete. */
let drawing: number | null = null;
let isWorkShown = false;
let quiet: ReturnType<typeof setTimeout> | undefined;

/** Shows the work if it takes a while, and otherwise the result. */
function showStatus(): void {
  if (current === null) return;
  const work = current.isBusy ? 'Printing…' : drawing === null ? '' : `Drawing page ${drawing} …`;
  if (work === '') {
    clearTimeout(quiet);
    quiet = undefined;
    isWorkShown = false;
  } else if (!isWorkShown) {
    quiet ??= setTimeout(() => {
      isWorkShown = true;
      showStatus();
    }, QUIET_MS);
    return;
  }
  find('#status').textContent = work || resultOf(current);
  pageList.dataset['work'] = work;
}

function resultOf({ printed, failure }: DevState): string {
  if (failure !== null) return 'Not printed';
  if (printed === null) return '';
  const pages = printed.pages === 1 ? '1 page' : `${printed.pages} pages`;
  return `${pages} in ${printed.milliseconds} ms`;
}

/** Creates an element with a class and a text. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { className = '', text = '' }: { className?: string; text?: string } = {},
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  if (className !== '') created.className = className;
  if (text !== '') created.textContent = text;
  return created;
}

async function show(state: DevState): Promise<void> {
  current = state;
  showChoice(state);
  showFailure(state.failure, state.printed !== null);
  find('#pdf').hidden = state.printed === null;
  document.body.classList.toggle('stale', state.failure !== null);
  const { printed } = state;
  if (printed === null) {
    if (shown !== null) pageList.replaceChildren();
    shown = null;
    wanted = 0;
    drawing = null;
    showStatus();
    showFindings([]);
    return;
  }
  if (printed.version !== wanted) {
    wanted = printed.version;
    drawing = 1;
    showStatus();
    const pages = await loadPages(printed);
    // A later print may have overtaken this one.
    if (wanted !== printed.version) return;
    drawing = null;
    replacePages(pages);
  }
  showStatus();
  if (shown !== null && shown.version > printed.version) return;
  shown = printed;
  document.body.dataset['version'] = String(printed.version);
  showFindings(printed.findings);
  placeMarks(printed);
}

function showChoice({ documents, selected }: DevState): void {
  const name = documents[selected] ?? '';
  const hasChoice = documents.length > 1;
  find('#choice').hidden = !hasChoice;
  find('#name').hidden = hasChoice;
  find('#name').textContent = name;
  document.title = `${name} - Platen dev`;
  if (select.options.length !== documents.length)
    select.replaceChildren(...documents.map((text) => element('option', { text })));
  select.selectedIndex = selected;
}

function showFailure(failure: Failure | null, hasPages: boolean): void {
  find('#failure').hidden = failure === null;
  find('#kept').hidden = !hasPages;
  find('#failure-place').textContent = failure?.place ?? '';
  find('#failure-place').hidden = failure?.place === null;
  find('#failure-message').textContent = failure?.message ?? '';
  const lines = failure?.excerpt ?? [];
  const width = String(lines.at(-1)?.line ?? '').length;
  find('#excerpt').hidden = lines.length === 0;
  find('#excerpt').replaceChildren(
    ...lines.map(({ line, text, isFault }) =>
      element('div', {
        className: isFault ? 'fault' : '',
        text: `${String(line).padStart(width)}  ${text}`,
      }),
    ),
  );
}

/** Creates the pages. Resolves when the images of the first ones are ready to be shown. */
async function loadPages({ version, pages }: PrintedPages): Promise<HTMLElement[]> {
  const width = Math.round((pageList.clientWidth || 820) * window.devicePixelRatio);
  const items = Array.from({ length: pages }, (_, index) => {
    const item = element('li');
    const image = element('img');
    const before = pageList.children[index] ?? pageList.lastElementChild;
    const ratio = before === null ? A4_RATIO : before.clientWidth / before.clientHeight;
    item.style.aspectRatio = String(ratio || A4_RATIO);
    image.alt = `Page ${index + 1}`;
    image.loading = index < WAITED_PAGES ? 'eager' : 'lazy';
    image.addEventListener('load', () => {
      item.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
      if (shown?.version === version) placeMarks(shown);
    });
    image.src = `/pages/${version}/${index + 1}.png?width=${width}`;
    item.append(image);
    return item;
  });
  const first = items.slice(0, WAITED_PAGES).flatMap((item) => item.querySelector('img') ?? []);
  for (const [index, image] of first.entries()) {
    if (wanted === version) drawing = index + 1;
    showStatus();
    await image.decode().catch(() => {});
  }
  return items;
}

/** Replaces the pages and keeps the position of the window. */
function replacePages(pages: readonly HTMLElement[]): void {
  const top = window.scrollY;
  pageList.replaceChildren(...pages);
  window.scrollTo({ top, behavior: 'instant' });
}

function showFindings(findings: readonly Finding[]): void {
  find('#findings').hidden = findings.length === 0;
  find('#findings h2').textContent = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  find('#findings ul').replaceChildren(
    ...findings.map(({ code, message, place, marks }, index) => {
      const item = element('li');
      item.append(element('code', { text: place === null ? code : `${code} ${place}` }), message);
      const [mark] = marks;
      if (mark) item.append(' ', jumpButton(mark, index));
      return item;
    }),
  );
}

function jumpButton(mark: Mark, finding: number): HTMLButtonElement {
  const text = mark.kind === 'box' ? `Show on page ${mark.page}` : 'Show';
  const button = element('button', { text });
  button.type = 'button';
  button.addEventListener('click', () => {
    for (const each of document.querySelectorAll<HTMLElement>('.mark'))
      each.classList.toggle('active', each.dataset['finding'] === String(finding));
    document.querySelector('.mark.active')?.scrollIntoView({ block: 'center' });
  });
  return button;
}

/** Draws the marks of the findings over the pages. */
function placeMarks({ findings, sizes }: PrintedPages): void {
  for (const mark of pageList.querySelectorAll('.mark')) mark.remove();
  for (const [index, { marks, message }] of findings.entries())
    for (const mark of marks)
      for (const item of itemsOf(mark)) {
        const box = element('div', { className: `mark ${mark.kind}` });
        box.title = message;
        box.dataset['finding'] = String(index);
        if (mark.kind === 'box' && !placeBox(box, { mark, item, sizes })) continue;
        item.append(box);
      }
}

function itemsOf(mark: Mark): HTMLElement[] {
  const items = [...pageList.children] as HTMLElement[];
  return mark.kind === 'edge' ? items : items.slice(mark.page - 1, mark.page);
}

/** Places a box in parts of its page. Returns `false` while the size of the page is unknown. */
function placeBox(
  box: HTMLElement,
  {
    mark,
    item,
    sizes,
  }: { mark: Extract<Mark, { kind: 'box' }>; item: HTMLElement; sizes: PrintedPages['sizes'] },
): boolean {
  const ratio = item.clientWidth / item.clientHeight;
  const [size] = sizes.toSorted(
    (left, right) =>
      Math.abs(left.width / left.height - ratio) - Math.abs(right.width / right.height - ratio),
  );
  if (!size) return false;
  box.style.left = `${(mark.x / size.width) * 100}%`;
  box.style.bottom = `${(mark.y / size.height) * 100}%`;
  box.style.width = `${(mark.width / size.width) * 100}%`;
  box.style.height = `${(mark.height / size.height) * 100}%`;
  return true;
}

select.addEventListener('change', () => {
  void fetch('/select', { method: 'POST', body: String(select.selectedIndex) });
});
showMarks.addEventListener('change', () => {
  document.body.classList.toggle('no-marks', !showMarks.checked);
});

const events = new EventSource('/events');
events.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void show(JSON.parse(data) as DevState);
});
events.addEventListener('error', () => {
  current = null;
  clearTimeout(quiet);
  find('#status').textContent = 'platen dev has ended';
});
