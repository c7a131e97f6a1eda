import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../data/api.ts';
import { capitalise, formatCountOf, formatDuration } from '../data/format.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import type { Note } from './note.ts';
import type { Preview } from './use-preview.ts';
import { useReloadState } from './use-reload-state.ts';
import { CAUSES, describeFault } from './wording.ts';

const ZOOMS = [
  ['fit', 'Fit width'],
  ['page', 'Fit page'],
  ['75', '75%'],
  ['100', '100%'],
  ['150', '150%'],
  ['200', '200%'],
] as const;

/** The width of an image pixel in CSS pixels at 100%. Previews have 144 dpi. */
const IMAGE_SCALE = 96 / 144;

/** Renders the printed page with its navigation, zoom and notes. */
export function PreviewPane(props: {
  preview: Preview;
  page: number;
  notes: Note[];
  /** Why the sample data cannot be read; empty if it can. */
  dataError: string;
  /** The languages in which the document can be printed, by tag; empty for a document in one language. */
  languages: readonly (readonly [tag: string, name: string])[];
  locale: string;
  onLocale: (locale: string) => void;
  onPage: (page: number) => void;
  onError: (error: ApiError) => { label: string; run: () => void } | undefined;
  onDataError: () => void;
}) {
  const { printed, error, isPrinting } = props.preview;
  const [zoom, setZoom] = useReloadState<string>('zoom', 'fit');
  const [natural, setNatural] = useState(0);
  const [areNotesOpen, setNotesOpen] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const element = image.current;
    if (!element) return;
    const percent = Number(zoom);
    element.style.width = Number.isNaN(percent) ? '' : `${(natural * IMAGE_SCALE * percent) / 100}px`;
  }, [zoom, natural, printed]);
  const pages = printed?.pages;
  const page = printed?.page ?? props.page;
  const fix = error && props.onError(error);
  return (
    <section class="preview" aria-label="Preview">
      <header class="preview-bar">
        {pages === undefined ? <span /> : <PageTurner page={page} pages={pages} onPage={props.onPage} />}
        <span class="preview-time" role="status">
          {error
            ? 'Not printed'
            : isPrinting
              ? 'Printing…'
              : printed && props.dataError
                ? 'Not current'
                : printed
                  ? `Printed in ${formatDuration(printed.ms)}`
                  : ''}
        </span>
        <div class="row tight">
          {props.notes.length > 0 && (
            <Button
              kind="quiet"
              size="small"
              icon="warning"
              aria-expanded={areNotesOpen}
              onClick={() => setNotesOpen(!areNotesOpen)}
            >
              {formatCountOf(props.notes.length, 'note')}
            </Button>
          )}
          {props.languages.length > 0 && (
            <Select
              label="Language"
              isBare
              value={props.locale}
              choices={props.languages}
              onValue={props.onLocale}
            />
          )}
          <Select label="Zoom" isBare value={zoom} choices={ZOOMS} onValue={setZoom} />
        </div>
      </header>
      {props.dataError && (
        <div class="preview-error" role="alert">
          <Icon name="error" />
          <div>
            <strong>The sample data is not valid JSON</strong>
            <p>{props.dataError} The preview shows the last valid data.</p>
          </div>
          <Button size="small" onClick={props.onDataError}>
            Open the data
          </Button>
        </div>
      )}
      {error && (
        <div class="preview-error is-over" role="alert">
          <Icon name="error" />
          <div>
            <strong>{headline(error)}</strong>
            {messagesOf(error).map((message) => (
              <p key={message}>{message}</p>
            ))}
          </div>
          {fix && (
            <Button size="small" onClick={fix.run}>
              {fix.label}
            </Button>
          )}
        </div>
      )}
      {areNotesOpen && props.notes.length > 0 && (
        <ul class="notes">
          {props.notes.map(({ text, fix: correction }) => (
            <li key={text}>
              <Icon name="warning" />
              <span>{text}</span>
              {correction && (
                <Button size="small" kind="quiet" onClick={correction.run}>
                  {correction.label}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {/* A region that scrolls is reachable by keyboard. */}
      <div class={`desk zoom-${zoom}`} tabIndex={0} role="group" aria-label="Printed page">
        {printed ? (
          <img
            ref={image}
            class={error || props.dataError ? 'sheet is-old' : 'sheet'}
            src={printed.url}
            alt={`Page ${page} of ${pages} of the document`}
            onLoad={(event) => setNatural(event.currentTarget.naturalWidth)}
          />
        ) : (
          isPrinting && (
            <div class="sheet first-print" role="status">
              Printing the first page…
            </div>
          )
        )}
      </div>
    </section>
  );
}

/** The most faults that are shown at once. */
const MAX_FAULTS = 3;

/** Describes the first faults of a document or, if no fault is known, the error itself. */
function messagesOf({ details, message }: ApiError): string[] {
  if (details.length === 0) return [capitalise(message)];
  return details.slice(0, MAX_FAULTS).map(describeFault);
}

const HEADLINES: Record<string, string> = {
  TEMPLATE_ERROR: 'The template has an error',
  ...CAUSES,
  RENDER_TIMEOUT: 'Printing took too long',
  NO_ROOM: 'The header and footer leave no room for the content',
  TOO_MANY_PAGES: 'A preview can have at most 20 pages',
};

function headline({ details, status }: ApiError): string {
  const code = details[0]?.code;
  if (code && HEADLINES[code]) return HEADLINES[code];
  return status === 400 ? 'The document cannot be printed' : 'The preview failed';
}
