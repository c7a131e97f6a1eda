import { useRef, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';

/** Renders an area onto which files are dropped, with a button that chooses files. */
export function DropArea(props: {
  text: string;
  /** The accessible name of the file input. */
  label: string;
  accept?: string;
  isMany: boolean;
  isBusy: boolean;
  onFiles: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        props.onFiles(files);
      }}
    >
      <Icon name="upload" size={20} />
      <p>{props.text}</p>
      <Button isBusy={props.isBusy} onClick={() => input.current?.click()}>
        {props.isBusy ? 'Uploading…' : props.isMany ? 'Choose files' : 'Choose a file'}
      </Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={props.accept}
        multiple={props.isMany}
        aria-label={props.label}
        tabIndex={-1}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
