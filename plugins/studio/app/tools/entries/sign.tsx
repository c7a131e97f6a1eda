import { useEffect } from 'preact/hooks';
import { isValidNow, useCertificates } from '../../data/certificates.ts';
import { formatDay } from '../../data/format.ts';
import { useMay, useSession } from '../../data/session.ts';
import type { Certificate } from '../../data/types.ts';
import { Check, Field, Select } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/states.tsx';
import { filledIn, textOf, type Tool, type Values } from '../operation.ts';

/** Signs a file with a certificate of the account, or adds a stamp without one. */
export const sign: Tool = {
  slug: 'sign',
  name: 'Sign',
  text: 'Sign with a certificate (PAdES), or only add a stamp with a name and a reason.',
  icon: 'sign',
  group: 'Signatures',
  order: 1,
  action: 'Sign',
  suffix: 'signed',
  initial: {
    certificate: '',
    level: 'b-b',
    certify: '',
    isStamped: true,
    name: '',
    reason: '',
    location: '',
    page: '1',
  },
  request: (values, [file]) => {
    const certificate = textOf(values, 'certificate');
    if (!certificate && !textOf(values, 'name')) return 'Enter the name of the signer.';
    const certify = textOf(values, 'certify');
    const isStamped = !certificate || values['isStamped'] === true;
    return {
      path: '/v1/pdf/sign',
      body: {
        pdf: file?.id,
        ...(certificate && { certificate, level: values['level'], ...(certify && { certify }) }),
        ...filledIn(values, ['name', 'reason', 'location']),
        ...(isStamped
          ? { page: Math.max(0, (Number(textOf(values, 'page')) || 1) - 1) }
          : { visible: false }),
      },
    };
  },
  form: (values, set) => <SignForm values={values} set={set} />,
};

interface FormProps {
  values: Values;
  set: (change: Values) => void;
}

function SignForm(props: FormProps) {
  const certificates = useCertificates();
  return <Loaded from={certificates}>{({ data }) => <SignFields {...props} certificates={data} />}</Loaded>;
}

function SignFields({ values, set, certificates }: FormProps & { certificates: Certificate[] }) {
  const usable = certificates.filter(isValidNow);
  const may = useMay();
  useEffect(() => set({ certificate: usable[0]?.id ?? '' }), []);
  const hasCertificate = textOf(values, 'certificate') !== '';
  const text = (name: string) => ({
    value: textOf(values, name),
    onValue: (value: string) => set({ [name]: value }),
  });
  return (
    <>
      {usable.length > 0 ? (
        <Select
          label="Certificate"
          choices={[
            ...usable.map(
              ({ id, name, not_after }) => [id, `${name}, until ${formatDay(not_after)}`] as const,
            ),
            ['', 'No certificate: only a stamp'],
          ]}
          {...text('certificate')}
        />
      ) : (
        <p class="note">
          Without a certificate, this adds a stamp, not a cryptographic signature.{' '}
          {may('admin') ? (
            <a href="/studio/certificates">Upload a certificate</a>
          ) : (
            'An admin or owner of the account can upload a certificate.'
          )}
        </p>
      )}
      {hasCertificate && (
        <>
          <LevelSelect {...text('level')} />
          <Select
            label="Later changes"
            choices={[
              ['', 'Not restricted'],
              ['no_changes', 'Not allowed'],
              ['form_filling', 'Only filling in forms and signing'],
              ['annotations', 'Only filling in forms, signing and comments'],
            ]}
            {...text('certify')}
          />
          <Check
            label="Show a stamp on the page"
            checked={values['isStamped'] === true}
            onValue={(isStamped) => set({ isStamped })}
          />
        </>
      )}
      <Field
        label={hasCertificate ? 'Name (optional)' : 'Name'}
        hint={hasCertificate ? 'The default is the name in the certificate.' : undefined}
        maxLength={200}
        {...text('name')}
      />
      <div class="form-grid">
        <Field label="Reason (optional)" {...text('reason')} />
        <Field label="Location (optional)" {...text('location')} />
      </div>
      {(!hasCertificate || values['isStamped'] === true) && (
        <Field label="Page of the stamp" type="number" {...text('page')} />
      )}
    </>
  );
}

function LevelSelect(props: { value: string; onValue: (value: string) => void }) {
  const { service } = useSession();
  if (!service.has_timestamps)
    return (
      <Select
        label="Level"
        hint="Levels with a timestamp need a timestamp authority, which the operator of this server configures."
        choices={[['b-b', 'B-B: signature']]}
        {...props}
      />
    );
  return (
    <Select
      label="Level"
      choices={[
        ['b-b', 'B-B: signature'],
        ['b-t', 'B-T: signature with a timestamp'],
        ['b-lt', 'B-LT: can be verified after the certificate expires'],
        ['b-lta', 'B-LTA: can be verified in long-term archives'],
      ]}
      {...props}
    />
  );
}
