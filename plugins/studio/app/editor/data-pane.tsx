import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import type { Ref } from 'preact';
import { useState } from 'preact/hooks';
import { formatCountOf } from '../data/format.ts';
import { Button } from '../ui/controls.tsx';
import { CodeEditor, type CodeHandle } from './code-editor.tsx';
import { inferSchema, schemaMismatches } from './template-context.ts';

const language = [json(), linter(jsonParseLinter())];

/** Renders the sample data and the schema with which the data of generations is compared. */
export function DataPane(props: {
  text: string;
  data: Record<string, unknown>;
  schema: Record<string, string>;
  onText: (text: string) => void;
  onSchema: (schema: Record<string, string>) => void;
  handle: Ref<CodeHandle>;
}) {
  const [isOpen, setOpen] = useState(Object.keys(props.schema).length > 0);
  const mismatches = new Map(schemaMismatches(props.schema, props.data).map((entry) => [entry.path, entry]));
  const entries = Object.entries(props.schema);
  return (
    <div class="data-pane">
      <CodeEditor
        label="Sample data"
        value={props.text}
        language={language}
        onChange={props.onText}
        handle={props.handle}
      />
      <section class="schema" aria-label="Schema">
        <header>
          <button type="button" class="disclosure" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Schema{' '}
            <span class="soft">
              {entries.length === 0 ? 'none' : formatCountOf(entries.length, 'variable')}
            </span>
          </button>
          <Button size="small" kind="quiet" onClick={() => props.onSchema(inferSchema(props.data))}>
            {entries.length === 0 ? 'Create from the data' : 'Update from the data'}
          </Button>
        </header>
        {isOpen && entries.length > 0 && (
          <div class="schema-rows" tabIndex={0} role="group" aria-label="Variables and their types">
            <dl>
              {entries.map(([path, type]) => {
                const mismatch = mismatches.get(path);
                return (
                  <div key={path} class={mismatch && 'is-wrong'}>
                    <dt>{path}</dt>
                    <dd>
                      {type}
                      {mismatch && <span> (sample data: {mismatch.found})</span>}
                    </dd>
                  </div>
                );
              })}
            </dl>
          </div>
        )}
      </section>
    </div>
  );
}
