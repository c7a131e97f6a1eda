import { useState } from 'preact/hooks';
import { CodeBlock } from '../ui/code-block.tsx';
import { Segments } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

type Language = 'curl' | 'JavaScript' | 'Python';

const MAX_SAMPLE = 1200;
const MAX_TEXT = 120;

/** Renders the calls that print a template, with its id filled in. */
export function UseFromCode(props: { id: string; data: Record<string, unknown>; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <Dialog title="Use it from code" size="wide" onClose={props.onClose}>
      <div class="stack">
        <p class="soft">
          Send the data of a document, get its PDF. The examples read an <a href="/studio/keys">API key</a>{' '}
          from the environment variable <code>PLATEN_KEY</code>.
        </p>
        <Segments
          label="Language"
          value={language}
          choices={[
            ['curl', 'curl'],
            ['JavaScript', 'JavaScript'],
            ['Python', 'Python'],
          ]}
          onValue={setLanguage}
        />
        <CodeBlock label={`${language} example`} code={exampleOf(language, props)} />
      </div>
    </Dialog>
  );
}

/** Returns a program that prints a template. Long sample data is shortened to its first fields. */
function exampleOf(language: Language, { id, data }: { id: string; data: Record<string, unknown> }): string {
  const sample = shorten(data);
  const url = `${location.origin}/v1/generate`;
  const body = { template: id, data: sample, output: 'binary' };
  const json = JSON.stringify(body, null, 2);
  if (language === 'curl')
    return `curl -fsS ${url} \\\n  -H "Authorization: Bearer $PLATEN_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${json.replaceAll("'", String.raw`'\''`)}' \\\n  -o document.pdf`;
  if (language === 'JavaScript')
    return `import { writeFile } from 'node:fs/promises';\n\nconst answer = await fetch('${url}', {\n  method: 'POST',\n  headers: {\n    Authorization: \`Bearer \${process.env.PLATEN_KEY}\`,\n    'Content-Type': 'application/json',\n  },\n  body: JSON.stringify(${indent(json, '  ')}),\n});\nif (!answer.ok) throw new Error(await answer.text());\nawait writeFile('document.pdf', Buffer.from(await answer.arrayBuffer()));`;
  return `import json\nimport os\nimport urllib.request\n\nbody = json.loads(r'''${json.replaceAll("'''", "\\u0027''")}''')\nrequest = urllib.request.Request(\n    "${url}",\n    data=json.dumps(body).encode(),\n    headers={\n        "Authorization": f"Bearer {os.environ['PLATEN_KEY']}",\n        "Content-Type": "application/json",\n    },\n)\nwith urllib.request.urlopen(request) as answer, open("document.pdf", "wb") as file:\n    file.write(answer.read())`;
}

function indent(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** Returns the first fields of sample data, without long texts such as embedded images. */
function shorten(data: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let size = 0;
  for (const [name, value] of Object.entries(data)) {
    const length = JSON.stringify(value)?.length ?? 0;
    const isLong = typeof value === 'string' && length > MAX_TEXT;
    if (isLong || size + length > MAX_SAMPLE) continue;
    kept[name] = value;
    size += length;
  }
  return kept;
}
