import { Trans, useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import { asProblem } from '@portal/client/problem'
import { cases } from '@portal/contracts/cases'
import type { Consultation } from '@portal/contracts/cases/external'
import type { SharedDocument } from '@portal/contracts/documents'
import { formatBytes, formatDate } from '@portal/i18n/format'
import { Blank } from '@portal/ui/Blank'
import { Button, IconButton } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { DocumentRow } from '@portal/ui/Timeline'
import { useRef, useState } from 'react'
import { UploadForm } from './UploadForm.tsx'

type Props = {
  consultation: Consultation
  client: Client
  invite: string | undefined
  /** Whether a document is chosen that has not been uploaded. */
  onChosen: (chosen: boolean) => void
  onChange: (next: Consultation) => void
}

/** What the reviewer shared and the consultant added, each to be saved, and a place to add more. */
export function SharedDocuments({ consultation, client, invite, onChosen, onChange }: Props) {
  const { t } = useLingui()
  const [adding, setAdding] = useState(false)
  const [failure, setFailure] = useState('')
  const [uploaded, setUploaded] = useState('')
  const notification = useRef<HTMLDivElement>(null)
  const { documents } = consultation
  const save = async ({ id, file_name }: SharedDocument) => {
    setFailure('')
    try {
      // By a call, not a link: the invite goes along in a header and into no address.
      const file = await client.file(cases.document, { params: { id }, ...(invite && { invite }) })
      if (file.ready) saveBlob(file.blob, file_name)
    } catch (thrown) {
      const { message } = asProblem(thrown)
      setFailure(message || t`The document could not be fetched. Check the connection, then try again.`)
    }
  }
  const add = () => {
    setUploaded('')
    setAdding(true)
  }
  const upload = !adding && (
    <Button small icon="upload" disabled={!invite} onClick={add}>
      <Trans>Upload document</Trans>
    </Button>
  )
  return (
    <Card title={t`Documents`} actions={upload}>
      {failure && (
        <div className="card-body">
          <Notice tone="bad" alert>
            {failure}
          </Notice>
        </div>
      )}
      <div role="status" ref={notification} tabIndex={-1}>
        {uploaded && (
          <div className="card-body">
            <Notice tone="good">{uploaded}</Notice>
          </div>
        )}
      </div>
      {documents.length === 0 && !adding && <Blank icon="file" title={t`No document is shared with you`} />}
      {documents.map((document) => (
        <DocumentRow
          key={document.id}
          name={document.description || document.file_name}
          note={[
            document.file_type.split('/').at(-1)?.toUpperCase(),
            formatBytes(document.size),
            formatDate(document.created_at),
          ].join(' · ')}
          action={
            <IconButton
              icon="download"
              label={t`Save ${document.description || document.file_name}`}
              onClick={() => void save(document)}
            />
          }
        />
      ))}
      {adding && (
        <UploadForm
          client={client}
          invite={invite}
          onChosen={onChosen}
          onDone={(taken) => {
            setAdding(false)
            if (!taken) return
            setUploaded(taken.message)
            // The form had the focus, and it is gone.
            notification.current?.focus()
            onChange(taken.referral)
          }}
        />
      )}
    </Card>
  )
}

/** Hands a file over to the browser to keep. */
function saveBlob(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
