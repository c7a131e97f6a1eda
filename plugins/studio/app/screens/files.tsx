import { useState } from 'preact/hooks';
import { reasonOf, remove, retrying } from '../data/api.ts';
import { forEachOf, outcomeText } from '../data/bulk.ts';
import { capitalise, formatAgo, formatCountOf, formatDay, formatMoment, formatSize } from '../data/format.ts';
import { useList } from '../data/list.ts';
import { forget } from '../data/resource.ts';
import { useMay, useSession } from '../data/session.ts';
import { wordsOf } from '../data/words.ts';
import { setQuery, useLocation } from '../router.ts';
import { DropZone } from '../tools/file-list.tsx';
import { upload } from '../tools/uploads.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, LinkButton, Search } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { ShowMore } from '../ui/paging.tsx';
import { SelectionBar, useSelection, type Selection } from '../ui/selection.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { TestBadge, TestFilter } from '../ui/test-mode.tsx';
import { toast } from '../ui/toast.tsx';

interface StoredFile {
  id: string;
  operation: string;
  pages: number | null;
  file_size: number;
  file_name: string | null;
  reference: string | null;
  expires_at: string | null;
  created_at: string;
  test: boolean;
  url: string;
}

/** The titles of operations whose API names are not readable. */
const OPERATIONS: Record<string, string> = {
  pdfa: 'PDF/A',
  fill: 'Fill a form',
  pages: 'Rotate and reorder',
  number: 'Number pages',
};

/** Renders the uploads and the results of PDF tools, newest first. */
export function Files() {
  const mayEdit = useMay()('editor');
  const hasTools = useSession().service.plugins.includes('pdf-tools');
  const { searchParams } = useLocation();
  const search = searchParams.get('search') ?? '';
  const test = searchParams.get('test') ?? '';
  // The service cannot search names, so a search reads all files.
  const path = test === '' ? '/v1/files' : `/v1/files?test=${encodeURIComponent(test)}`;
  const files = useList<StoredFile>('files', path, { isWhole: search !== '' });
  const { isBusy, error, submit } = useSubmission();
  const [removing, setRemoving] = useState<StoredFile>();
  const found = (files.data?.data ?? []).filter((file) => matches(file, search));
  const selection = useSelection(found);
  const reload = () => {
    forget('file');
    files.reload();
  };
  const add = async (chosen: File[]) => {
    await submit(async () => {
      const outcome = await forEachOf(chosen, (file) =>
        retrying(() => upload(file)).catch((thrown: unknown) => {
          throw new Error(reasonOf(thrown, { file: file.name }));
        }),
      );
      const text = outcomeText(outcome, 'file', 'uploaded');
      if (outcome.failed.length > 0) throw new Error(text);
      toast(text);
    });
    reload();
  };
  return (
    <div class="page">
      <ViewHead
        title="Files"
        text="These are the uploads and the results of PDF tools, from the studio and from programs."
      />
      <div class="stack">
        {mayEdit && <DropZone isMany isBusy={isBusy} onFiles={(chosen) => void add(chosen)} />}
        <FormError error={error} />
        <div class="toolbar">
          <Search label="Search files" value={search} onValue={(value) => setQuery('search', value)} />
          <TestFilter value={test} onValue={(value) => setQuery('test', value)} />
        </div>
        <Loaded from={files}>
          {({ data }) =>
            found.length > 0 ? (
              <div>
                <SelectionBar
                  selection={selection}
                  noun="file"
                  pathOf={({ id }) => `/v1/files/${id}`}
                  fileOf={(file) => ({ url: file.url, name: file.file_name ?? `${nameOf(file)}.pdf` })}
                  onDeleted={reload}
                />
                <FileTable files={found} selection={selection} onDelete={mayEdit && setRemoving} />
              </div>
            ) : data.length > 0 ? (
              <Empty icon="search" title="No file found" text="The search compares names and references.">
                <Button onClick={() => setQuery('search', '')}>Clear the search</Button>
              </Empty>
            ) : test !== '' ? (
              <Empty icon="search" title="No file found" text="No file matches the filter.">
                <Button onClick={() => setQuery('test', '')}>Clear the filter</Button>
              </Empty>
            ) : !mayEdit ? (
              <Empty icon="files" title="No files" text="The account stores no files." />
            ) : (
              <Empty
                icon="files"
                title="No files"
                text={hasTools ? 'Upload a PDF, or use a PDF tool.' : 'Upload a PDF.'}
              >
                {hasTools && (
                  <LinkButton href="/studio/tools" kind="primary">
                    Open the PDF tools
                  </LinkButton>
                )}
              </Empty>
            )
          }
        </Loaded>
        <ShowMore list={files} />
      </div>
      {removing && (
        <Confirm
          title={`Delete ${nameOf(removing)}?`}
          text="This cannot be undone. Links to the file stop working."
          action="Delete"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await remove(`/v1/files/${removing.id}`);
            reload();
            toast('The file was deleted.');
          }}
        />
      )}
    </div>
  );
}

/** Tells whether the name, the operation or the reference of a file contains every word. */
function matches(file: StoredFile, search: string): boolean {
  const text = `${nameOf(file)} ${operationOf(file)} ${file.reference ?? ''}`.toLowerCase();
  return wordsOf(search).every((word) => text.includes(word));
}

function FileTable(props: {
  files: StoredFile[];
  selection: Selection<StoredFile>;
  onDelete: ((file: StoredFile) => void) | false;
}) {
  const { files, selection, onDelete } = props;
  const columns: Column<StoredFile>[] = [
    {
      label: 'Name',
      cell: (file) => (
        <>
          <span class="cell-title">{nameOf(file)}</span> <TestBadge test={file.test} />
          <span class="cell-sub">
            {[
              [operationOf(file), file.pages !== null && formatCountOf(file.pages, 'page')]
                .filter(Boolean)
                .join(', '),
              file.reference,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <span class="cell-sub narrow-only">
            {file.expires_at ? `Until ${formatDay(file.expires_at)}` : 'Until you delete it'}
          </span>
        </>
      ),
    },
    { label: 'Size', isNumber: true, isWideOnly: true, cell: ({ file_size }) => formatSize(file_size) },
    {
      label: 'Created',
      isNumber: true,
      isWideOnly: true,
      cell: ({ created_at }) => (
        <time dateTime={created_at} title={formatMoment(created_at)}>
          {formatAgo(created_at)}
        </time>
      ),
    },
    {
      label: 'Kept',
      isNumber: true,
      isWideOnly: true,
      cell: ({ expires_at }) =>
        expires_at ? (
          <time dateTime={expires_at}>until {formatMoment(expires_at)}</time>
        ) : (
          'until you delete it'
        ),
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (file) => (
        <>
          <LinkButton
            href={file.url}
            kind="quiet"
            size="small"
            icon="download"
            download={file.file_name ?? true}
            aria-label={`Download ${nameOf(file)}`}
          />
          {onDelete && (
            <Button
              kind="quiet"
              size="small"
              icon="trash"
              aria-label={`Delete ${nameOf(file)}`}
              onClick={() => onDelete(file)}
            />
          )}
        </>
      ),
    },
  ];
  return <Table rows={files} columns={columns} keyOf={({ id }) => id} selection={{ ...selection, nameOf }} />;
}

function operationOf({ operation }: StoredFile): string {
  return OPERATIONS[operation] ?? capitalise(operation.replaceAll(/[-_.]/g, ' '));
}

/** Returns the name of a file. The end of the id distinguishes a file without a name from others. */
function nameOf(file: StoredFile): string {
  return file.file_name ?? `${operationOf(file)} ${file.id.slice(-6)}`;
}
