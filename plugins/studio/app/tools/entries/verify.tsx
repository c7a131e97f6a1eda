import { capitalise, formatDay, formatMoment } from '../../data/format.ts';
import { TextArea } from '../../ui/controls.tsx';
import { Fact } from '../../ui/fact.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';
import { verdictOf, type CheckedSignature } from '../signature-verdict.ts';
import { Verdict } from '../verdict.tsx';

interface Signature extends CheckedSignature {
  field: string;
  kind: 'signature' | 'document_timestamp';
  signer: string | null;
  level: string | null;
  signed_at: string | null;
  timestamp: { time: string; authority: string | null } | null;
  certificate: { subject: string; not_after: string } | null;
  problems: string[];
}

interface Verification {
  signed: boolean;
  valid: boolean;
  signatures: Signature[];
}

/** Verifies the signatures of a file. */
export const verify: Tool = {
  slug: 'verify',
  name: 'Verify signatures',
  text: 'See who signed a file, whether it was changed, and whether the certificates are trusted.',
  icon: 'verify',
  group: 'Signatures',
  order: 2,
  action: 'Verify',
  initial: { trust: '' },
  request: (values, [file]) => ({
    path: '/v1/pdf/verify',
    body: { pdf: file?.id, ...filledIn(values, ['trust']) },
    returnsJson: true,
  }),
  form: (values, set) => (
    <TextArea
      label="Trusted roots (optional)"
      hint="Enter certificates in PEM format, in addition to those that the operator trusts."
      rows={4}
      isCode
      placeholder="-----BEGIN CERTIFICATE-----"
      value={textOf(values, 'trust')}
      onValue={(trust) => set({ trust })}
    />
  ),
  report: (result) => <VerifyReport {...(result as Verification)} />,
};

function VerifyReport({ signed, valid, signatures }: Verification) {
  return (
    <>
      <Verdict {...verdictOf({ signed, valid, signatures })} />
      {signatures.map((signature) => (
        <SignaturePanel key={signature.field} signature={signature} />
      ))}
    </>
  );
}

const CHANGES = {
  none: 'None',
  allowed: 'Allowed by the signature',
  not_allowed: 'Not allowed by the signature',
} as const;

function SignaturePanel({ signature }: { signature: Signature }) {
  const { field, kind, signer, level, intact, trusted, signed_at, timestamp, certificate, problems } =
    signature;
  return (
    <section class="panel facts in-flow" aria-label={field}>
      <h2>{signer ?? (kind === 'signature' ? 'Unknown signer' : 'Unknown authority')}</h2>
      <dl>
        <Fact label="Kind">
          {kind === 'document_timestamp'
            ? 'Document timestamp'
            : level
              ? `Signature, PAdES ${level.toUpperCase()}`
              : 'Signature'}
        </Fact>
        <Fact label="Signed bytes">{intact ? 'Unchanged' : 'Changed'}</Fact>
        <Fact label="Certificate">{trusted ? 'Trusted' : 'Not trusted'}</Fact>
        <Fact label="Later changes">{CHANGES[signature.changes_after]}</Fact>
        {signed_at && <Fact label="Signed at">{formatMoment(signed_at)}</Fact>}
        {timestamp && (
          <Fact label="Timestamp">
            {formatMoment(timestamp.time)}
            {timestamp.authority && `, ${timestamp.authority}`}
          </Fact>
        )}
        {certificate && (
          <>
            <Fact label="Subject">{certificate.subject}</Fact>
            <Fact label="Certificate expires">{formatDay(certificate.not_after)}</Fact>
          </>
        )}
      </dl>
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map((problem) => (
            <li key={problem}>{capitalise(problem)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
