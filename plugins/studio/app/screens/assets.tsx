import { useState } from 'preact/hooks';
import { remove, send } from '../data/api.ts';
import { formatDay, formatSize } from '../data/format.ts';
import { useList } from '../data/list.ts';
import { useMay } from '../data/session.ts';
import { wordsOf } from '../data/words.ts';
import type { Asset } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { setQuery, useLocation } from '../router.ts';
import { Button, Search } from '../ui/controls.tsx';
import { ShowMore } from '../ui/paging.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { CopyButton } from '../ui/code-block.tsx';
import { Menu } from '../ui/menu.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

/** Renders the stored fonts, images and style sheets of the account. */
export function Assets() {
  const search = useLocation().searchParams.get('search') ?? '';
  // The service cannot search assets, so a search reads all of them.
  const assets = useList<Asset>('assets', '/v1/assets', { isWhole: search !== '' });
  const mayEdit = useMay()('editor');
  const { isBusy, error, submit } = useSubmission();
  const [removing, setRemoving] = useState<Asset>();
  const upload = async (files: File[]) => {
    await submit(async () => {
      for (const file of files) {
        const form = new FormData();
        form.set('file', file);
        await send('POST', '/v1/assets', form);
      }
      toast(files.length === 1 ? 'The file was uploaded.' : `${files.length} files were uploaded.`);
    });
    assets.reload();
  };
  return (
    <div class="page">
      <ViewHead
        title="Assets and fonts"
        text="Your documents can use these files without network access. Refer to a font by its family name."
      />
      <div class="stack">
        {mayEdit && (
          <DropArea
            text="Drop images, fonts or style sheets here"
            label="Files"
            isMany
            isBusy={isBusy}
            onFiles={(files) => void upload(files)}
          />
        )}
        <FormError error={error} />
        <div class="toolbar">
          <Search label="Search assets" value={search} onValue={(value) => setQuery('search', value)} />
        </div>
        <Loaded from={assets}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                icon="assets"
                title="No assets"
                text={
                  mayEdit
                    ? 'Upload a logo, for example, and refer to it as asset:logo.png in a template.'
                    : 'The account stores no images, fonts or style sheets.'
                }
              />
            ) : (
              <AssetsFound
                assets={data.filter((asset) => matches(asset, search))}
                onDelete={mayEdit && setRemoving}
              />
            )
          }
        </Loaded>
        <ShowMore list={assets} />
      </div>
      {removing && (
        <Confirm
          title={`Delete ${removing.name}?`}
          text="Documents that use this asset will be printed without it."
          action="Delete"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await remove(`/v1/assets/${encodeURIComponent(removing.name)}`);
            assets.reload();
          }}
        />
      )}
    </div>
  );
}

/** Tells whether the name of an asset or of its font family contains every word. */
function matches({ name, font }: Asset, search: string): boolean {
  return wordsOf(search).every((word) => `${name} ${font?.family ?? ''}`.toLowerCase().includes(word));
}

/** Deletes an asset, if the person may do so. */
type OnDelete = ((asset: Asset) => void) | false;

function AssetsFound(props: { assets: Asset[]; onDelete: OnDelete }) {
  if (props.assets.length > 0) return <AssetTable {...props} />;
  return (
    <Empty icon="search" title="No asset found" text="The search compares names and font families.">
      <Button onClick={() => setQuery('search', '')}>Clear the search</Button>
    </Empty>
  );
}

function AssetTable({ assets, onDelete }: { assets: Asset[]; onDelete: OnDelete }) {
  const columns: Column<Asset>[] = [
    {
      label: 'Name',
      cell: ({ name, type, url }) => (
        <span class="document-link">
          <span class="thumb square">
            {type.startsWith('image/') ? <img src={url} alt="" loading="lazy" /> : <Icon name="template" />}
          </span>
          <span class="cell-title">{name}</span>
        </span>
      ),
    },
    { label: 'In a template', cell: (asset) => <Reference asset={asset} /> },
    { label: 'Size', isNumber: true, isWideOnly: true, cell: ({ file_size }) => formatSize(file_size) },
    { label: 'Changed', isNumber: true, isWideOnly: true, cell: ({ updated_at }) => formatDay(updated_at) },
  ];
  if (onDelete)
    columns.push({
      label: 'Actions',
      isActions: true,
      cell: (asset) => (
        <Menu
          label={`Actions for ${asset.name}`}
          items={[{ label: 'Delete', icon: 'trash', isDanger: true, action: () => onDelete(asset) }]}
        />
      ),
    });
  return <Table rows={assets} columns={columns} keyOf={({ name }) => name} hasMenus />;
}

/** Renders the text with which a template refers to an asset. */
function Reference({ asset }: { asset: Asset }) {
  const text = asset.font ? `font-family: '${asset.font.family}'` : `asset:${asset.name}`;
  return (
    <span class="row">
      <code class="ellipsis">{text}</code>
      <CopyButton text={text} kind="quiet" />
    </span>
  );
}
