import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { toast } from './toast.tsx';

/** Renders a button that copies text and confirms it. */
export function CopyButton({
  text,
  label = 'Copy',
  kind,
}: {
  text: string;
  label?: string;
  kind?: 'primary' | 'quiet';
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast('The browser did not allow copying. Select the text and copy it yourself.', { kind: 'error' });
    }
  };
  return (
    <Button size="small" kind={kind} icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}

/** Renders code with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div class="code-block">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} kind="quiet" />
    </div>
  );
}
