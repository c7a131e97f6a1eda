import { CodeBlock } from '../ui/code-block.tsx';

/** Renders the response of an operation as JSON. */
export function JsonReport({ result }: { result: unknown }) {
  return <CodeBlock label="Result" code={JSON.stringify(result, null, 2)} />;
}
