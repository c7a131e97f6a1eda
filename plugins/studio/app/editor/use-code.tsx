import { useEffect, useMemo, useState } from 'preact/hooks';
import { useMay } from '../data/session.ts';
import type { PageOptions } from '../data/types.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { LinkButton, Segments } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import {
  BODY_FILE,
  exampleOf,
  LANGUAGES,
  printRequest,
  summaryOf,
  type Language,
  type PrintRequest,
} from './code-examples.ts';

/** Renders example programs that print the template with the sample data of the editor. */
export function UseFromCode(props: {
  id: string;
  data: Record<string, unknown>;
  options: PageOptions;
  /** The version that they print, if the document in the editor is a draft. */
  currentVersion: number | undefined;
  /** Whether the HTML of the editor is not saved. */
  isUnsaved: boolean;
  onClose: () => void;
}) {
  const [language, setLanguage] = useState<Language>('curl');
  const may = useMay();
  const request = useMemo(() => printRequest({ origin: location.origin, ...props }), []);
  return (
    <Dialog title="Use it from code" size="wide" onClose={props.onClose}>
      <div class="stack">
        <p class="soft">
          Send the data of a document and receive its PDF. The examples read an{' '}
          {may('admin') ? <a href="/studio/keys">API key</a> : 'API key'} from the environment variable{' '}
          <code>PLATEN_API_KEY</code>.{!may('admin') && ' Ask an admin or owner of the account for a key.'}
          {props.currentVersion && ` They print version ${props.currentVersion}, not the draft.`}
          {props.isUnsaved && ' They print the saved version, without your unsaved changes to the HTML.'}
        </p>
        <Segments
          label="Language"
          value={language}
          choices={LANGUAGES.map((name) => [name, name] as const)}
          onValue={setLanguage}
        />
        <CodeBlock label={`${language} example`} code={exampleOf(language, request)} />
        {request.isLong && <BodyFile request={request} />}
      </div>
    </Dialog>
  );
}

/** Offers the body of a long request as a file, and shows it shortened. */
function BodyFile({ request }: { request: PrintRequest }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([request.body], { type: 'application/json' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [request]);
  return (
    <>
      <div class="body-file">
        <p class="soft">
          The sample data is long, so the examples read the request from <code>{BODY_FILE}</code> in the
          current folder. The text below shortens long values; the file contains them in full.
        </p>
        {url && (
          <LinkButton icon="download" size="small" href={url} download={BODY_FILE}>
            Download {BODY_FILE}
          </LinkButton>
        )}
      </div>
      <div class="code-block">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reachable by keyboard */}
        <pre tabIndex={0} aria-label={`${BODY_FILE}, shortened`}>
          <code>{summaryOf(request.body)}</code>
        </pre>
      </div>
    </>
  );
}
