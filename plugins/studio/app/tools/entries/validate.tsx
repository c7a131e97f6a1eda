import { capitalise } from '../../data/format.ts';
import { PDFA_LEVELS } from '../../data/pdfa.ts';
import { Select } from '../../ui/controls.tsx';
import { filledIn, textOf, type Tool } from '../operation.ts';
import { Verdict } from '../verdict.tsx';

interface Validation {
  claims: string[];
  results: {
    profile: string;
    valid: boolean | null;
    findings: { clause: string; message: string; page?: number }[];
    message?: string;
  }[];
}

/** Checks whether a file conforms to a standard or to those that it claims. */
export const validate: Tool = {
  slug: 'validate',
  name: 'Validate',
  text: 'Check whether a file conforms to the standards that it claims, such as PDF/A or PDF/UA.',
  icon: 'validate',
  group: 'Standards',
  order: 2,
  action: 'Validate',
  initial: { profile: '' },
  request: (values, [file]) => ({
    path: '/v1/pdf/validate',
    body: { pdf: file?.id, ...filledIn(values, ['profile']) },
    returnsJson: true,
  }),
  form: (values, set) => (
    <Select
      label="Standard"
      value={textOf(values, 'profile')}
      choices={[
        ['', 'All standards that the file claims'],
        ...PDFA_LEVELS.map(([level]) => [`pdfa-${level}`, titleOf(`pdfa-${level}`)] as const),
        ['pdfua-1', titleOf('pdfua-1')],
        ['factur-x-en16931', titleOf('factur-x-en16931')],
      ]}
      onValue={(profile) => set({ profile })}
    />
  ),
  report: (result) => <ValidateReport {...(result as Validation)} />,
};

const FAMILIES: Record<string, string> = {
  pdfa: 'PDF/A',
  pdfua: 'PDF/UA',
  'factur-x': 'Factur-X',
  pades: 'PAdES signature',
  signature: 'Signature',
};

/** Returns the name of a profile as its standard writes it, such as "PDF/A-3b". */
function titleOf(profile: string): string {
  const family = Object.keys(FAMILIES).find((name) => profile === name || profile.startsWith(`${name}-`));
  return family === undefined ? profile : `${FAMILIES[family]}${profile.slice(family.length)}`;
}

function ValidateReport({ claims, results }: Validation) {
  if (results.length === 0)
    return (
      <Verdict outcome="open" title="The file claims no standard">
        <p class="soft">Choose a standard to validate the file against it.</p>
      </Verdict>
    );
  return (
    <>
      {results.map(({ profile, valid, findings, message }) => {
        const title = titleOf(profile);
        return (
          <Verdict
            key={profile}
            outcome={valid === null ? 'open' : valid ? 'good' : 'bad'}
            title={
              valid === null
                ? `${title} was not fully checked`
                : valid
                  ? `The file conforms to ${title}`
                  : `The file does not conform to ${title}`
            }
          >
            {!claims.includes(profile) && <p class="soft">The file does not claim this standard.</p>}
            {message && <p class="soft">{capitalise(message)}</p>}
            {findings.length > 0 && (
              <ul class="problems">
                {findings.map((finding) => (
                  <li key={`${finding.clause} ${finding.page} ${finding.message}`}>
                    {capitalise(finding.message)}
                    <small>
                      clause {finding.clause}
                      {finding.page !== undefined && `, page ${finding.page}`}
                    </small>
                  </li>
                ))}
              </ul>
            )}
          </Verdict>
        );
      })}
    </>
  );
}
