import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { readCorpus } from '../corpus/corpus.ts';
import { qpdfCheck, rasterise } from '../support/pdf.ts';
import type { TestService } from '../support/service.ts';
import { PdfiumFile } from './pdfium.ts';
import { readFieldsWithQpdf, type QpdfField, type Rect, type Widget } from './qpdf-fields.ts';
import { READ_ONLY, wishFor, type Wish } from './wishes.ts';
import { readWords, textInBox, type Word } from './words.ts';

/** What came of a field: filled and seen, or what is wrong; `left` for those that nobody can fill, with the reason. */
export interface FieldVerdict {
  file: string;
  field: string;
  type: string;
  faults: string[];
  left?: string;
}

const DPI = 100;
/** Pixels of a box that are another colour when a tick is. */
const MIN_CHANGED = 6;

interface Task {
  field: QpdfField;
  wish: Wish;
}

/** A file, drawn and read by everybody who judges. */
interface Seen {
  fields: QpdfField[];
  poppler: PNG[];
  pdfium: PNG[];
  words: Word[][];
  pdfiumText: Map<Widget, string>;
}

/** Fills every field of a file with a value of its kind, and looks for the values with poppler, pdfium and qpdf. */
export async function judgeFill(service: TestService, file: string): Promise<FieldVerdict[]> {
  const pdf = readCorpus(file);
  const fields = await readFieldsWithQpdf(pdf);
  const verdicts: FieldVerdict[] = [];
  const tasks: Task[] = [];
  for (const [index, field] of fields.entries()) {
    const wish = wishFor(field, index);
    const left = reasonToLeave(field, wish);
    if (wish && left === undefined) tasks.push({ field, wish });
    else verdicts.push({ file, field: field.name, type: field.type, faults: [], left: left ?? '' });
  }
  if (tasks.length === 0) return verdicts;
  const { filled, refused } = await fillAll(service, pdf, tasks);
  const accepted = tasks.filter((task) => !refused.has(task));
  const others = accepted.filter(({ wish }) => wish.other !== undefined);
  const comparison =
    others.length === 0
      ? pdf
      : await fill(
          service,
          pdf,
          others.map(({ field, wish }) => ({ name: field.name, value: wish.other ?? false })),
        );
  const broken = await qpdfCheck(filled).then(
    () => undefined,
    (error: unknown) => String(error).split('\n').slice(0, 3).join(' '),
  );
  // Of a file that was not in order before, nothing else can be asked.
  const wasSound = await qpdfCheck(pdf).then(
    () => true,
    () => false,
  );
  const [after, before] = await Promise.all([
    look(filled, accepted),
    look(typeof comparison === 'string' ? pdf : comparison, accepted),
  ]);
  for (const task of tasks) {
    const refusal = refused.get(task);
    const faults = refusal === undefined ? judgeField(task, after, before) : [`refused: ${refusal}`];
    if (broken !== undefined && wasSound) faults.push(broken);
    verdicts.push({ file, field: task.field.name, type: task.field.type, faults });
  }
  return verdicts;
}

function reasonToLeave({ name, flags, type }: QpdfField, wish: Wish | undefined): string | undefined {
  if (type === 'button' || type === 'signature') return `is a ${type}`;
  if ((flags & READ_ONLY) !== 0) return 'is read-only';
  if (name === '') return 'has no name';
  return wish ? undefined : 'has nothing to choose';
}

type Given = { name: string; value: string | boolean };

async function fill(
  service: TestService,
  pdf: Uint8Array,
  fields: readonly Given[],
): Promise<Buffer | string> {
  const { status, body } = await service.post('/v1/pdf/forms/fill', {
    pdf: Buffer.from(pdf).toString('base64'),
    fields,
    output: 'base64',
  });
  return status === 200 ? Buffer.from(body.data, 'base64') : `${status} ${body.error?.message}`;
}

/** Fills all fields at once; where that is refused, finds out by one field each which are, and fills the others. */
async function fillAll(
  service: TestService,
  pdf: Uint8Array,
  tasks: readonly Task[],
): Promise<{ filled: Uint8Array; refused: Map<Task, string> }> {
  const given = ({ field, wish }: Task): Given => ({ name: field.name, value: wish.value });
  const refused = new Map<Task, string>();
  const all = await fill(service, pdf, tasks.map(given));
  if (typeof all !== 'string') return { filled: all, refused };
  for (const task of tasks) {
    const one = await fill(service, pdf, [given(task)]);
    if (typeof one === 'string') refused.set(task, one);
  }
  const rest = tasks.filter((task) => !refused.has(task)).map(given);
  const filled = rest.length === 0 ? pdf : await fill(service, pdf, rest);
  if (typeof filled === 'string') for (const task of tasks) refused.set(task, filled);
  return { filled: typeof filled === 'string' ? pdf : filled, refused };
}

async function look(pdf: Uint8Array, tasks: readonly Task[]): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-forms-'));
  try {
    const path = join(folder, 'seen.pdf');
    await Bun.write(path, pdf);
    const [fields, words, poppler] = await Promise.all([
      readFieldsWithQpdf(pdf),
      readWords(path),
      rasterise(pdf, { dpi: DPI, cropBox: true }),
    ]);
    using file = await PdfiumFile.open(pdf);
    const widgets = tasks.flatMap(({ field }) => field.widgets.filter(({ visible }) => visible));
    const pdfium = file.draw({ dpi: DPI });
    const texts = file.textInside(widgets);
    const pdfiumText = new Map(widgets.map((widget, index) => [widget, texts[index] ?? '']));
    return { fields, poppler, pdfium, words, pdfiumText };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function judgeField({ field, wish }: Task, after: Seen, before: Seen): string[] {
  const faults: string[] = [];
  const stored = after.fields.find(({ name }) => name === field.name)?.value;
  if (String(stored) !== String(wish.value)) faults.push(`qpdf reads ${JSON.stringify(stored)}`);
  const visible = field.widgets.filter((widget) => widget.visible);
  for (const widget of visible) {
    const differs = (judge: 'poppler' | 'pdfium') =>
      changedPixels(after[judge][widget.page - 1], before[judge][widget.page - 1], widget.shown) >=
      MIN_CHANGED;
    const { text } = wish;
    if (text === undefined) {
      if (!looksDifferent(field, widget, wish)) continue;
      for (const judge of ['poppler', 'pdfium'] as const)
        if (!differs(judge)) faults.push(`${judge} draws no difference`);
      continue;
    }
    const wanted = text.replaceAll(/\s/g, '');
    const found = {
      poppler: textInBox(after.words[widget.page - 1] ?? [], widget.shown),
      pdfium: (after.pdfiumText.get(widget) ?? '').replaceAll(/\s/g, ''),
    };
    for (const [judge, own] of Object.entries(found))
      if (!own.includes(wanted)) faults.push(`${judge} reads "${own}", not "${wanted}"`);
  }
  return [...new Set(faults)];
}

/** Of a radio button that stays as it is, of a place where a checkbox stands for another value, and of a value that was there before, no difference can be seen. */
function looksDifferent(field: QpdfField, widget: Widget, wish: Wish): boolean {
  if (field.type === 'checkbox' && widget.onState !== field.widgets[0]?.onState) return false;
  if (field.type !== 'radio') return wish.value !== (wish.other ?? field.value);
  if (wish.other === undefined && field.value === wish.value) return false;
  return widget.onState === wish.value || widget.onState === wish.other;
}

/** Counts the pixels of a box (in points) that differ clearly between two pictures. */
function changedPixels(one: PNG | undefined, other: PNG | undefined, box: Rect): number {
  if (!one || !other || one.width !== other.width || one.height !== other.height) return 0;
  const [left, top, right, bottom] = box.map((side) => Math.round((side * DPI) / 72));
  let changed = 0;
  for (let y = Math.max(0, top ?? 0); y < Math.min(one.height, bottom ?? 0); y++)
    for (let x = Math.max(0, left ?? 0); x < Math.min(one.width, right ?? 0); x++) {
      const at = 4 * (y * one.width + x);
      const distance = [0, 1, 2].reduce(
        (sum, channel) => sum + Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)),
        0,
      );
      if (distance > 120) changed++;
    }
  return changed;
}

/** Compares what the service lists with what qpdf reads: every field of qpdf's is there, with its type and value. */
export async function judgeList(service: TestService, file: string): Promise<FieldVerdict[]> {
  const pdf = readCorpus(file);
  const fields = await readFieldsWithQpdf(pdf);
  const { status, body } = await service.post('/v1/pdf/forms/list-fields', { pdf: pdf.toString('base64') });
  const listed: { name: string; type: string; value: unknown }[] = status === 200 ? body.fields : [];
  const byName = new Map(listed.map((field) => [field.name, field]));
  return fields.map((field) => {
    const own = byName.get(field.name);
    const faults: string[] = [];
    if (!own) faults.push(status === 200 ? 'is not listed' : `${status} ${body.error?.message}`);
    else {
      if (own.type !== field.type) faults.push(`is listed as ${own.type}`);
      const [ours, theirs] = [own.value ?? '', field.value].map((value) => JSON.stringify(value));
      const hasValue = field.type !== 'button' && field.type !== 'signature';
      if (hasValue && ours !== theirs) faults.push(`has ${ours} listed, qpdf reads ${theirs}`);
    }
    return { file, field: field.name, type: field.type, faults };
  });
}
