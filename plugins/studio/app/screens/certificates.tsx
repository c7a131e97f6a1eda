import { useState } from 'preact/hooks';
import { ApiError, reasonOf, remove, send } from '../data/api.ts';
import { isValidNow, useCertificates } from '../data/certificates.ts';
import { formatDay, formatSize } from '../data/format.ts';
import { useMay } from '../data/session.ts';
import type { Certificate } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { Button, Field } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { Menu } from '../ui/menu.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

/** Renders the certificates that sign PDFs, which can be uploaded and deleted. */
export function Certificates() {
  const certificates = useCertificates();
  const [isUploading, setUploading] = useState(false);
  const [removing, setRemoving] = useState<Certificate>();
  const mayManage = useMay()('admin');
  const upload = () => setUploading(true);
  const identity = useIdentity();
  return (
    <div class="page">
      <ViewHead
        title="Certificates"
        text="Certificates sign PDFs. Their private keys are stored encrypted and are never shown or exported."
      >
        {mayManage && (
          <Button kind="primary" icon="plus" onClick={upload}>
            Upload certificate
          </Button>
        )}
      </ViewHead>
      <Loaded from={certificates}>
        {({ data }) =>
          data.length === 0 && !mayManage ? (
            <Empty
              icon="certificate"
              title="No certificates"
              text="An admin or owner of the account can upload a certificate with which you sign PDFs."
            />
          ) : data.length === 0 ? (
            <Empty
              icon="certificate"
              title="No certificates"
              text="To sign PDFs, upload a certificate with its private key. The name of the file ends in .p12 or .pfx."
            >
              <Button kind="primary" onClick={upload}>
                Upload certificate
              </Button>
            </Empty>
          ) : (
            <CertificateTable certificates={data} onDelete={mayManage && setRemoving} />
          )
        }
      </Loaded>
      {identity.dialog}
      {isUploading && <UploadDialog onClose={() => setUploading(false)} onUploaded={certificates.reload} />}
      {removing && (
        <Confirm
          title={`Delete ${removing.name}?`}
          text="Its private key will be deleted. Signatures that were made with it stay valid."
          action="Delete"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await identity.confirmed(() => remove(`/v1/certificates/${removing.id}`));
            certificates.reload();
            toast('The certificate was deleted.');
          }}
        />
      )}
    </div>
  );
}

function CertificateTable(props: {
  certificates: Certificate[];
  onDelete: ((certificate: Certificate) => void) | false;
}) {
  const { onDelete } = props;
  const columns: Column<Certificate>[] = [
    {
      label: 'Name',
      cell: ({ name, subject }) => (
        <>
          <span class="cell-title">{name}</span>
          <span class="cell-sub">{subject}</span>
        </>
      ),
    },
    {
      label: 'Expires',
      cell: (certificate) =>
        isValidNow(certificate) ? (
          formatDay(certificate.not_after)
        ) : (
          <>
            {formatDay(certificate.not_after)} <span class="badge bad">Not valid now</span>
          </>
        ),
    },
    { label: 'Key', isWideOnly: true, cell: ({ key_type }) => key_type },
    {
      label: 'Id',
      isWideOnly: true,
      cell: ({ id }) => (
        <span class="row">
          <code>{id}</code>
          <CopyButton text={id} kind="quiet" />
        </span>
      ),
    },
  ];
  if (onDelete)
    columns.push({
      label: 'Actions',
      isActions: true,
      cell: (certificate) => (
        <Menu
          label={`Actions for ${certificate.name}`}
          items={[{ label: 'Delete', icon: 'trash', isDanger: true, action: () => onDelete(certificate) }]}
        />
      ),
    });
  return <Table rows={props.certificates} columns={columns} keyOf={({ id }) => id} hasMenus />;
}

/**
 * Returns the reason why a certificate was not stored. Names the file instead of the field of the request.
 */
function reasonOfUpload(thrown: unknown, name: string): string {
  const isPassword = thrown instanceof ApiError && thrown.details.some(({ path }) => path === 'password');
  return isPassword ? `That password does not open ${name}.` : reasonOf(thrown, { file: name, pkcs12: name });
}

function UploadDialog(props: { onClose: () => void; onUploaded: () => void }) {
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, error, submit } = useSubmission();
  const identity = useIdentity();
  const upload = async () => {
    const form = new FormData();
    if (file) form.set('file', file);
    if (name.trim()) form.set('name', name.trim());
    if (password) form.set('password', password);
    const response = await identity
      .confirmed(() => send('POST', '/v1/certificates', form))
      .catch((thrown: unknown) => {
        throw new Error(reasonOfUpload(thrown, file?.name ?? 'the file'));
      });
    const { name: stored } = (await response.json()) as Certificate;
    toast(`You can now sign as “${stored}”.`);
    props.onUploaded();
    props.onClose();
  };
  return (
    <Dialog title="Upload a certificate" onClose={props.onClose}>
      {identity.dialog}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(upload);
        }}
      >
        {file ? (
          <p class="note row spread">
            <span>
              {file.name}, {formatSize(file.size)}
            </span>
            <Button size="small" onClick={() => setFile(undefined)}>
              Choose another file
            </Button>
          </p>
        ) : (
          <DropArea
            text="Drop a .p12 or .pfx file here"
            label="Certificate file"
            accept=".p12,.pfx,application/x-pkcs12"
            isMany={false}
            isBusy={false}
            onFiles={([chosen]) => setFile(chosen)}
          />
        )}
        <Field
          label="Password of the file"
          hint="The password is used once and not stored."
          type="password"
          autocomplete="off"
          value={password}
          onValue={setPassword}
        />
        <Field
          label="Name (optional)"
          hint="The default is the name of the signer."
          maxLength={200}
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        <FormError error={error} />
        <div class="row end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={!file}>
            Upload
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
