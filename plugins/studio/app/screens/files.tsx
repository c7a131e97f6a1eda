import { useState } from 'preact/hooks';
import { get, remove } from '../data/api.ts';
import { capitalise, formatAgo, formatCountOf, formatDay, formatMoment, formatSize } from '../data/format.ts';
import { forget, useResource } from '../data/resource.ts';
import type { List } from '../data/types.ts';
import { useLocation } from '../router.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

interface StoredFile {
  id: string;
  operation: string;
  pages: number | null;
  file_size: number;
  file_name: string | null;
  expires_at: string | null;
  created_at: string;
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
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const files = useResource(`files ${offset}`, (signal) =>
    get<List<StoredFile>>(`/v1/files?limit=${PAGE_SIZE}&offset=${offset}`, signal),
  );
  const [removing, setRemoving] = useState<StoredFile>();
  return (
    <div class="page">
      <ViewHead
        title="Files"
        text="These are the uploads and the results of PDF tools, from the studio and from programs."
      />
      <Loaded from={files}>
        {({ data, has_more }) =>
          data.length > 0 ? (
            <>
              <FileTable files={data} onDelete={setRemoving} />
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          ) : (
            <Empty icon="files" title="No files" text="Files appear here when you use a PDF tool.">
              <LinkButton href="/studio/tools" kind="primary">
                Open the PDF tools
              </LinkButton>
            </Empty>
          )
        }
      </Loaded>
      {removing && (
        <Confirm
          title={`Delete ${nameOf(removing)}?`}
          text="This cannot be undone. Links to the file stop working."
          action="Delete"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await remove(`/v1/files/${removing.id}`);
            forget('file');
            files.reload();
            toast('The file was deleted.');
          }}
        />
      )}
    </div>
  );
}

function FileTable({ files, onDelete }: { files: StoredFile[]; onDelete: (file: StoredFile) => void }) {
  const columns: Column<StoredFile>[] = [
    {
      label: 'Name',
      cell: (file) => (
        <>
          <span class="cell-title">{nameOf(file)}</span>
          <span class="cell-sub">
            {[operationOf(file), file.pages !== null && formatCountOf(file.pages, 'page')]
              .filter(Boolean)
              .join(', ')}
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
          <Button
            kind="quiet"
            size="small"
            icon="trash"
            aria-label={`Delete ${nameOf(file)}`}
            onClick={() => onDelete(file)}
          />
        </>
      ),
    },
  ];
  return <Table rows={files} columns={columns} keyOf={({ id }) => id} />;
}

function operationOf({ operation }: StoredFile): string {
  return OPERATIONS[operation] ?? capitalise(operation.replaceAll(/[-_.]/g, ' '));
}

/** Returns the name of a file. The end of the id distinguishes a file without a name from others. */
function nameOf(file: StoredFile): string {
  return file.file_name ?? `${operationOf(file)} ${file.id.slice(-6)}`;
}
