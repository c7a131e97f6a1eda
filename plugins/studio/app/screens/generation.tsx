import { useState } from 'preact/hooks';
import { get, remove } from '../data/api.ts';
import { formatCountOf, formatDuration, formatMoment, formatSize } from '../data/format.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { forget, useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Generation } from '../data/types.ts';
import { navigate } from '../router.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { sourceOf, titleOf } from '../ui/document-table.tsx';
import { Fact } from '../ui/fact.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import { Loaded, Status, ViewHead } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import type { ViewProps } from '../view-props.ts';
import { failureText } from './failure-text.ts';
import { ProofPanel } from './proof.tsx';
import { ReceiptPanel } from './receipt.tsx';
import { RunAgain } from './run-again.tsx';
import { warningsOf } from './warnings.ts';

/** Renders a document: its pages, properties and receipt. */
export function GenerationView({ params: [id = ''] }: ViewProps) {
  const generation = useResource(`generation ${id}`, (signal) =>
    get<Generation>(`/v1/generations/${id}?receipt=true`, signal),
  );
  useRefresh(generation, isInProgress);
  return (
    <div class="page">
      <Loaded from={generation}>{(document) => <Details key={document.id} document={document} />}</Loaded>
    </div>
  );
}

function Details({ document }: { document: Generation }) {
  const names = useTemplateNames();
  const [isDeleting, setDeleting] = useState(false);
  const mayEdit = useMay()('editor');
  const { id, pages, file_size, template_id, batch_id, reference, receipt, error } = document;
  const warnings = receipt ? warningsOf(receipt) : [];
  const isPdf = document.status === 'completed' && document.content_type === 'application/pdf';
  return (
    <>
      <p class="crumb">
        <a href="/studio/generations">Generations</a>
      </p>
      <ViewHead title={titleOf(document, names)}>
        {document.url && (
          <LinkButton
            href={document.url}
            kind="primary"
            icon="download"
            download={document.file_name ?? true}
          >
            Download
          </LinkButton>
        )}
        {mayEdit && (
          <>
            <RunAgain document={document} hasTemplate={template_id !== null && names.has(template_id)} />
            <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        )}
      </ViewHead>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <div class="document">
        <div class="document-main">
          {error && (
            <div class="form-error">
              <Icon name="error" />
              <span>{failureText(error)}</span>
            </div>
          )}
          {isPdf && <Pages id={id} pages={pages ?? 1} />}
          {isPdf && <ProofPanel id={id} receipt={receipt} />}
          {receipt && <ReceiptPanel receipt={receipt} />}
        </div>
        <aside class="panel facts" aria-label="Properties">
          <dl>
            <Fact label="Status">
              <Status value={document.status} />
            </Fact>
            {warnings.length > 0 && <Fact label="Warnings">{warnings.length}</Fact>}
            <Fact label="Created">{formatMoment(document.created_at)}</Fact>
            <Fact label="Source">
              {template_id && names.has(template_id) ? (
                <a href={`/studio/templates/${template_id}`}>{names.get(template_id)}</a>
              ) : (
                sourceOf(document)
              )}
            </Fact>
            {pages !== null && <Fact label="Length">{formatCountOf(pages, 'page')}</Fact>}
            {file_size !== null && <Fact label="Size">{formatSize(file_size)}</Fact>}
            {document.generation_time_ms !== null && (
              <Fact label="Time">{formatDuration(document.generation_time_ms)}</Fact>
            )}
            {document.test && <Fact label="Made for">a test key</Fact>}
            {reference && <Fact label="Reference">{reference}</Fact>}
            {batch_id && (
              <Fact label="Batch">
                <a href={`/studio/generations?batch_id=${batch_id}`}>No. {(document.index ?? 0) + 1}</a>
              </Fact>
            )}
            <Fact label="Kept">
              {document.expires_at ? `until ${formatMoment(document.expires_at)}` : 'until you delete it'}
            </Fact>
            {Object.entries(document.metadata).map(([name, value]) => (
              <Fact key={name} label={name}>
                {value}
              </Fact>
            ))}
          </dl>
          <div class="fact-id">
            <code>{id}</code>
            <CopyButton text={id} label="Copy id" kind="quiet" />
          </div>
        </aside>
      </div>
      {isDeleting && (
        <Confirm
          title="Delete this document?"
          text="Its file and its receipt will be deleted, and links to the file will stop working."
          action="Delete"
          onClose={() => setDeleting(false)}
          run={async () => {
            await remove(`/v1/generations/${id}`);
            forget('generation');
            toast('The document was deleted.');
            setTimeout(() => navigate('/studio/generations'));
          }}
        />
      )}
    </>
  );
}

function Warnings({ warnings }: { warnings: string[] }) {
  const show = () => {
    const receipt = window.document.getElementById('receipt-title');
    receipt?.scrollIntoView({ block: 'start' });
    receipt?.focus({ preventScroll: true });
  };
  return (
    <section class="warnings" aria-label="Warnings">
      <Icon name="warning" />
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <Button size="small" onClick={show}>
        Show the receipt
      </Button>
    </section>
  );
}

function Pages({ id, pages }: { id: string; pages: number }) {
  const [page, setPage] = useState(1);
  return (
    <section class="well document-pages" aria-label="Pages">
      {pages > 1 && <PageTurner page={page} pages={pages} onPage={setPage} />}
      <PageImage
        url={`/v1/generations/${id}/pages/${page}.png?width=1200`}
        alt={`Page ${page} of ${pages}`}
      />
    </section>
  );
}
