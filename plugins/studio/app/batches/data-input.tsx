import { Segments, TextArea } from '../ui/controls.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import type { Input } from './records/source.ts';

/** The data that the person gave: a file or a text. Switching between them keeps both. */
export interface GivenData {
  kind: 'file' | 'text';
  file?: File;
  /** Absent until the person edits the sample data. */
  text?: string;
}

/** Returns the data to read; `undefined` before the person has given a file or text. */
export function inputOf({ kind, file, text }: GivenData, sample: string): Input | undefined {
  if (kind === 'file') return file && { name: file.name, content: file };
  const content = text ?? sample;
  return content.trim() === '' ? undefined : { name: '', content };
}

/** Renders the choice of the data: a file, or a text that begins as the sample data of the template. */
export function DataInput(props: { given: GivenData; sample: string; onGiven: (given: GivenData) => void }) {
  const { given, sample, onGiven } = props;
  return (
    <>
      <Segments
        label="Source of the data"
        value={given.kind}
        choices={[
          ['file', 'File'],
          ['text', 'Text'],
        ]}
        onValue={(kind) => onGiven({ ...given, kind })}
      />
      {given.kind === 'file' ? (
        <DropArea
          text={given.file?.name ?? 'Drop a CSV, NDJSON or JSON file here'}
          label="Data file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv,application/json"
          isMany={false}
          isBusy={false}
          onFiles={([file]) => file && onGiven({ ...given, file })}
        />
      ) : (
        <TextArea
          label="Data"
          hint="A JSON list with an object for each document, an object per line, or a table whose first row names the columns."
          rows={10}
          isCode
          value={given.text ?? sample}
          onValue={(text) => onGiven({ ...given, text })}
        />
      )}
    </>
  );
}
