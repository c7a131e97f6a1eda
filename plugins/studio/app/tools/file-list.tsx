import { useState } from 'preact/hooks';
import { formatCountOf, formatSize } from '../data/format.ts';
import { Button } from '../ui/controls.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageImage } from '../ui/page-image.tsx';
import type { Tool } from './operation.ts';
import type { UploadedFile } from './uploads.ts';

/** Renders an area that accepts PDFs, or other files. */
export function DropZone({
  accepts = { types: 'application/pdf,.pdf', one: 'PDF file' },
  ...props
}: {
  isMany: boolean;
  isBusy: boolean;
  onFiles: (files: File[]) => void;
  accepts?: Tool['accepts'];
}) {
  return (
    <DropArea
      {...props}
      accept={accepts.types}
      label={props.isMany ? `${accepts.one}s` : accepts.one}
      text={props.isMany ? `Drop ${accepts.one}s here` : `Drop a ${accepts.one} here`}
    />
  );
}

/** Renders uploaded files. Several files are reordered by dragging or with their buttons. */
export function FileList(props: { files: UploadedFile[]; onChange: (files: UploadedFile[]) => void }) {
  const { files, onChange } = props;
  const [dragged, setDragged] = useState<number>();
  const move = (from: number, to: number) => {
    const file = files[from];
    if (!file || to < 0 || to >= files.length || from === to) return;
    onChange(files.toSpliced(from, 1).toSpliced(to, 0, file));
  };
  return (
    <ol class="file-list" aria-label="Files, in order">
      {files.map((file, index) => (
        <li
          key={file.id}
          class={dragged === index ? 'file is-dragged' : 'file'}
          draggable={files.length > 1}
          onDragStart={(event) => {
            event.dataTransfer?.setData('text/plain', file.name);
            setDragged(index);
          }}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            if (dragged === index) return;
            move(dragged, index);
            setDragged(index);
          }}
          onDrop={(event) => event.preventDefault()}
        >
          {files.length > 1 && <Icon name="drag" />}
          <span class="thumb">
            <PageImage url={`/v1/files/${file.id}/pages/1.png?width=120`} alt="" />
          </span>
          <span class="file-text">
            <span class="cell-title">{file.name}</span>
            <span class="cell-sub">
              {file.pages !== null && `${formatCountOf(file.pages, 'page')}, `}
              {formatSize(file.size)}
            </span>
          </span>
          {files.length > 1 && (
            <>
              <Button
                kind="quiet"
                size="small"
                aria-label={`Move ${file.name} up`}
                icon="up"
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <Button
                kind="quiet"
                size="small"
                aria-label={`Move ${file.name} down`}
                icon="down"
                disabled={index === files.length - 1}
                onClick={() => move(index, index + 1)}
              />
            </>
          )}
          <Button
            kind="quiet"
            size="small"
            aria-label={`Remove ${file.name}`}
            icon="close"
            onClick={() => onChange(files.filter(({ id }) => id !== file.id))}
          />
        </li>
      ))}
    </ol>
  );
}
