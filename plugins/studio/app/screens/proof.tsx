import { get } from '../data/api.ts';
import { formatCountOf, formatMoment } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { Proof, Receipt } from '../data/types.ts';
import { CodeBlock, CopyButton } from '../ui/code-block.tsx';

/**
 * Renders the claims of a document, such as PDF/A, and the rules that confirmed them. Renders nothing for a
 * document without claims.
 */
export function ProofPanel({ id, receipt }: { id: string; receipt: Receipt | null | undefined }) {
  // The proof outlives the receipt.
  const kept = useResource(receipt ? undefined : `proof ${id}`, (signal) =>
    get<Proof>(`/v1/generations/${id}/proof`, signal),
  );
  const proof = receipt ? receipt.proof : kept.data;
  if (!proof) return null;
  return (
    <section class="panel receipt" aria-labelledby="proof-title">
      <header>
        <h2 id="proof-title">Proof</h2>
        <span class="soft">{proof.steps.map(({ do: step }) => step).join(' → ')}</span>
      </header>
      {proof.claims.map(({ standard, level, checked_by, rules, passed_at }) => (
        <details key={`${standard} ${level}`} class="claim">
          <summary>
            <strong>
              {standard} {level}
            </strong>
            <span class="soft">
              {formatCountOf(rules.length, 'rule')} confirmed by {checked_by}, {formatMoment(passed_at)}
            </span>
          </summary>
          <p>{rules.join(', ')}</p>
        </details>
      ))}
      <div class="hash">
        <span class="soft">SHA-256</span>
        <code>{proof.sha256}</code>
        <CopyButton text={proof.sha256} kind="quiet" />
      </div>
      <CodeBlock
        label="curl example"
        code={`curl -fsS -H "Authorization: Bearer $PLATEN_API_KEY" \\\n  ${location.origin}/v1/generations/${id}/proof`}
      />
    </section>
  );
}
