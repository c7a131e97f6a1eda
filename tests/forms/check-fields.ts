import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { readCorpus } from '../corpus/corpus.ts';
import { qpdfCheck, rasterise } from '../support/pdf/pdf.ts';
import type { TestService } from '../support/service/service.ts';
import { PdfiumFile } from './pdfium.ts';
import { readFieldsWithQpdf, type QpdfField, type Rect, type Widget } from './qpdf-fields.ts';
import { READ_ONLY, chooseValue, type Choice } from './choose-value.ts';
import { readWords, textInBox, type Word } from './words.ts';

/** The check of a field: its faults, or in `skipped` the reason why it cannot be filled. */
export interface FieldCheck {
  file: string;
  field: string;
  type: string;
  faults: string[];
  skipped?: string;
}

const DPI = 100;
/** The minimum number of pixels that must change in the box of a checkbox or radio button. */
const MIN_CHANGED_PIXELS = 6;

interface Filling {
  field: QpdfField;
  choice: Choice;
}

/** A file as qpdf, poppler and pdfium read and render it. */
interface Inspected {
  fields: QpdfField[];
  poppler: PNG[];
  pdfium: PNG[];
  words: Word[][];
  pdfiumText: Map<Widget, string>;
}

/**
 * Fills every field of a file with a value of its kind and checks the values with poppler, pdfium and qpdf.
 */
export async function checkFill(service: TestService, file: string): Promise<FieldCheck[]> {
  const pdf = readCorpus(file);
  const fields = await readFieldsWithQpdf(pdf);
  const checks: FieldCheck[] = [];
  const fillings: Filling[] = [];
  for (const [index, field] of fields.entries()) {
    const choice = chooseValue(field, index);
    const skippedReason = reasonToLeave(field, choice);
    if (choice && skippedReason === undefined) fillings.push({ field, choice });
    else checks.push({ file, field: field.name, type: field.type, faults: [], skipped: skippedReason ?? '' });
  }
  if (fillings.length === 0) return checks;
  const { filled, refused } = await fillAll(service, pdf, fillings);
  const accepted = fillings.filter((filling) => !refused.has(filling));
  const others = accepted.filter(({ choice }) => choice.other !== undefined);
  const comparison =
    others.length === 0
      ? pdf
      : await fill(
          service,
          pdf,
          others.map(({ field, choice }) => ({ name: field.name, value: choice.other ?? false })),
        );
  const broken = await qpdfCheck(filled).then(
    () => undefined,
    (error: unknown) => String(error).split('\n').slice(0, 3).join(' '),
  );
  // If the original was already invalid, qpdf's errors in the result do not count.
  const wasValid = await qpdfCheck(pdf).then(
    () => true,
    () => false,
  );
  const [after, before] = await Promise.all([
    inspect(filled, accepted),
    inspect(typeof comparison === 'string' ? pdf : comparison, accepted),
  ]);
  for (const filling of fillings) {
    const refusal = refused.get(filling);
    const faults = refusal === undefined ? checkField(filling, after, before) : [`refused: ${refusal}`];
    if (broken !== undefined && wasValid) faults.push(broken);
    checks.push({ file, field: filling.field.name, type: filling.field.type, faults });
  }
  return checks;
}

function reasonToLeave({ name, flags, type }: QpdfField, choice: Choice | undefined): string | undefined {
  if (type === 'button' || type === 'signature') return `is a ${type}`;
  if ((flags & READ_ONLY) !== 0) return 'is read-only';
  if (name === '') return 'has no name';
  return choice ? undefined : 'has nothing to choose';
}

type FieldValue = { name: string; value: string | boolean };

/** Fills fields. Returns the filled file, or the status and the message of the error. */
async function fill(
  service: TestService,
  pdf: Uint8Array,
  fields: readonly FieldValue[],
): Promise<Buffer | string> {
  const { status, body } = await service.post('/v1/pdf/forms/fill', {
    pdf: Buffer.from(pdf).toString('base64'),
    fields,
    output: 'base64',
  });
  return status === 200 ? Buffer.from(body.data, 'base64') : `${status} ${body.error?.message}`;
}

/**
 * Fills all fields at once. If that is refused, fills each field alone to find the refused ones, then fills
 * the others together.
 */
async function fillAll(
  service: TestService,
  pdf: Uint8Array,
  fillings: readonly Filling[],
): Promise<{ filled: Uint8Array; refused: Map<Filling, string> }> {
  const toFieldValue = ({ field, choice }: Filling): FieldValue => ({
    name: field.name,
    value: choice.value,
  });
  const refused = new Map<Filling, string>();
  const all = await fill(service, pdf, fillings.map(toFieldValue));
  if (typeof all !== 'string') return { filled: all, refused };
  for (const filling of fillings) {
    const result = await fill(service, pdf, [toFieldValue(filling)]);
    if (typeof result === 'string') refused.set(filling, result);
  }
  const rest = fillings.filter((filling) => !refused.has(filling)).map(toFieldValue);
  const filled = rest.length === 0 ? pdf : await fill(service, pdf, rest);
  if (typeof filled === 'string') for (const filling of fillings) refused.set(filling, filled);
  return { filled: typeof filled === 'string' ? pdf : filled, refused };
}

async function inspect(pdf: Uint8Array, fillings: readonly Filling[]): Promise<Inspected> {
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
    const widgets = fillings.flatMap(({ field }) => field.widgets.filter(({ visible }) => visible));
    const pdfium = file.draw({ dpi: DPI });
    const texts = file.textInside(widgets);
    const pdfiumText = new Map(widgets.map((widget, index) => [widget, texts[index] ?? '']));
    return { fields, poppler, pdfium, words, pdfiumText };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checkField({ field, choice }: Filling, after: Inspected, before: Inspected): string[] {
  const faults: string[] = [];
  const stored = after.fields.find(({ name }) => name === field.name)?.value;
  if (String(stored) !== String(choice.value)) faults.push(`qpdf reads ${JSON.stringify(stored)}`);
  const visible = field.widgets.filter((widget) => widget.visible);
  for (const widget of visible) {
    const differs = (reader: 'poppler' | 'pdfium') =>
      changedPixels(after[reader][widget.page - 1], before[reader][widget.page - 1], widget.shown) >=
      MIN_CHANGED_PIXELS;
    const { text } = choice;
    if (text === undefined) {
      if (!looksDifferent(field, widget, choice)) continue;
      for (const reader of ['poppler', 'pdfium'] as const)
        if (!differs(reader)) faults.push(`${reader} shows no difference`);
      continue;
    }
    const wanted = text.replaceAll(/\s/g, '');
    const found = {
      poppler: textInBox(after.words[widget.page - 1] ?? [], widget.shown),
      pdfium: (after.pdfiumText.get(widget) ?? '').replaceAll(/\s/g, ''),
    };
    for (const [reader, shown] of Object.entries(found))
      if (!shown.includes(wanted)) faults.push(`${reader} reads "${shown}", not "${wanted}"`);
  }
  return [...new Set(faults)];
}

/**
 * Tells whether a button must look different after filling: only if its value changes, and the widget
 * represents the old or the new value.
 */
function looksDifferent(field: QpdfField, widget: Widget, choice: Choice): boolean {
  if (field.type === 'checkbox' && widget.onState !== field.widgets[0]?.onState) return false;
  if (field.type !== 'radio') return choice.value !== (choice.other ?? field.value);
  if (choice.other === undefined && field.value === choice.value) return false;
  return widget.onState === choice.value || widget.onState === choice.other;
}

/** Counts the pixels of a box (in points) that differ clearly between two images. */
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

/**
 * Compares the service's list with qpdf: every field that qpdf finds must be listed, with its type and value.
 */
export async function checkList(service: TestService, file: string): Promise<FieldCheck[]> {
  const pdf = readCorpus(file);
  const fields = await readFieldsWithQpdf(pdf);
  const { status, body } = await service.post('/v1/pdf/forms/list-fields', { pdf: pdf.toString('base64') });
  const listed: { name: string; type: string; value: unknown }[] = status === 200 ? body.fields : [];
  const byName = new Map(listed.map((field) => [field.name, field]));
  return fields.map((field) => {
    const listedField = byName.get(field.name);
    const faults: string[] = [];
    if (!listedField) faults.push(status === 200 ? 'is not listed' : `${status} ${body.error?.message}`);
    else {
      if (listedField.type !== field.type) faults.push(`is listed as ${listedField.type}`);
      const [ours, theirs] = [listedField.value ?? '', field.value].map((value) => JSON.stringify(value));
      const hasValue = field.type !== 'button' && field.type !== 'signature';
      if (hasValue && ours !== theirs) faults.push(`has ${ours} listed, qpdf reads ${theirs}`);
    }
    return { file, field: field.name, type: field.type, faults };
  });
}
