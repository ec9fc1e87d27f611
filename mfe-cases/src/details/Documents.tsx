import { Trans, useLingui } from '@lingui/react/macro'
import { type CaseDocument, cases } from '@portal/contracts/cases'
import { formatBytes, formatDate } from '@portal/i18n/format'
import { useDownload } from '@portal/screens/useDownload'
import { useHost } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button, IconButton } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DocumentRow } from '@portal/ui/Timeline'
import type { CaseAct } from './CaseActions.tsx'

type Props = { documents: CaseDocument[]; onAct?: ((act: CaseAct) => void) | undefined }

/** The supporting documents of a case, each to be saved. */
export function Documents({ documents, onAct }: Props) {
  const { t } = useLingui()
  const upload = onAct && (
    <Button small icon="upload" onClick={() => onAct('document')}>
      <Trans>Upload</Trans>
    </Button>
  )
  return (
    <Card title={t`Supporting documents`} actions={upload}>
      {documents.length === 0 && <Blank icon="file" title={t`No supporting documents yet`} />}
      {documents.map((document) => (
        <SavedDocument key={document.id} document={document} />
      ))}
    </Card>
  )
}

/** One document with its kind, size and day, and the button that saves it. */
export function SavedDocument({ document }: { document: CaseDocument }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { busy, download } = useDownload()
  const { id, description, file_name, file_type, size, created_at, external } = document
  const kind = file_type.split('/').at(-1)?.toUpperCase() ?? ''
  const save = () => download(() => client.file(cases.document, { params: { id } }), file_name)
  return (
    <DocumentRow
      name={description || file_name}
      note={[kind, formatBytes(size), formatDate(created_at), external && t`from the consultant`]
        .filter(Boolean)
        .join(' · ')}
      action={<IconButton icon="download" label={t`Save ${file_name}`} disabled={busy} onClick={save} />}
    />
  )
}
