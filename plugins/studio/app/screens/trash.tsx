import { useState } from 'preact/hooks';
import { remove } from '../data/api.ts';
import { capitalise, formatAgo, formatDay, formatMoment } from '../data/format.ts';
import { useList } from '../data/list.ts';
import { restoreTemplate } from './template-trash.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { ShowMore } from '../ui/paging.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

interface TrashedTemplate {
  id: string;
  name: string;
  category: string;
  version: number;
  deleted_at: string;
  expires_at: string;
}

/** Renders the templates that were deleted in the studio, which can be restored. */
export function Trash() {
  const templates = useList<TrashedTemplate>('trash', '/studio/api/trash/templates');
  const { isBusy, error, submit } = useSubmission();
  const [removing, setRemoving] = useState<TrashedTemplate>();
  const restore = async ({ id, name }: TrashedTemplate) => {
    await submit(async () => {
      await restoreTemplate(id);
      toast(`“${name}” was restored.`);
    });
    templates.reload();
  };
  const columns: Column<TrashedTemplate>[] = [
    {
      label: 'Template',
      cell: ({ name, category, version, expires_at }) => (
        <>
          <span class="cell-title">{name}</span>
          <span class="cell-sub">
            {capitalise(category)}, version {version}
          </span>
          <span class="cell-sub narrow-only">Kept until {formatDay(expires_at)}</span>
        </>
      ),
    },
    {
      label: 'Deleted',
      isNumber: true,
      isWideOnly: true,
      cell: ({ deleted_at }) => (
        <time dateTime={deleted_at} title={formatMoment(deleted_at)}>
          {formatAgo(deleted_at)}
        </time>
      ),
    },
    {
      label: 'Kept until',
      isNumber: true,
      isWideOnly: true,
      cell: ({ expires_at }) => <time dateTime={expires_at}>{formatDay(expires_at)}</time>,
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (template) => (
        <>
          <Button
            size="small"
            disabled={isBusy}
            aria-label={`Restore ${template.name}`}
            onClick={() => void restore(template)}
          >
            Restore
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon="trash"
            aria-label={`Delete ${template.name} for good`}
            onClick={() => setRemoving(template)}
          />
        </>
      ),
    },
  ];
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/templates">Templates</a>
      </p>
      <ViewHead
        title="Trash"
        text="Templates that you delete in the studio stay here for 30 days, with all their versions."
      />
      <FormError error={error} />
      <Loaded from={templates}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              icon="trash"
              title="The trash is empty"
              text="Deleted templates appear here for 30 days."
            />
          ) : (
            <Table rows={data} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <ShowMore list={templates} />
      {removing && (
        <Confirm
          title={`Delete ${removing.name} for good?`}
          text="This cannot be undone."
          action="Delete"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await remove(`/studio/api/trash/templates/${removing.id}`);
            templates.reload();
            toast('The template was deleted for good.');
          }}
        />
      )}
    </div>
  );
}
