import { Trans, useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import { type Consultation, external } from '@portal/contracts/cases/external'
import { DocumentDrop } from '@portal/screens/DocumentDrop'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useEffect, useRef, useState } from 'react'
import { SendingState } from './SendingState.tsx'
import { useSending } from './useSending.ts'

type Props = {
  client: Client
  invite: string | undefined
  /** Whether a document is chosen that has not been uploaded. */
  onChosen: (chosen: boolean) => void
  /** With the server's message and the request as it then is, or nothing when it was left. */
  onDone: (taken?: { message: string; referral: Consultation }) => void
}

/** Adds a document to the case before the answer is sent. */
export function UploadForm({ client, invite, onChosen, onDone }: Props) {
  const { t } = useLingui()
  const sending = useSending(client, external.addFile, invite)
  const [description, setDescription] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const title = useRef<HTMLInputElement>(null)
  const { busy, errors } = sending
  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    onChosen(file !== null)
    return () => onChosen(false)
  }, [file, onChosen])
  const send = async () => {
    // A form without its file is refused by the same schema as one with a wrong file.
    const taken = await sending.send({ description, file: file as File })
    if (taken) onDone(taken)
  }
  return (
    <form
      noValidate
      aria-label={t`Upload document`}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <SendingState sending={sending} />
      <FieldFrame label={t`Title`} required error={errors.description}>
        {(worn) => (
          <input
            {...worn}
            ref={title}
            className="input"
            name="description"
            maxLength={255}
            readOnly={busy}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </FieldFrame>
      <DocumentDrop
        label={t`Document`}
        help={t`JPG, PNG or PDF, 2 MB at most.`}
        required
        name="document"
        file={file}
        onFile={(chosen) => {
          setFile(chosen)
          sending.forget('file')
        }}
        disabled={busy}
        error={errors.file}
      />
      <div className="actions">
        <Button type="submit" icon="upload" busy={busy}>
          <Trans>Upload document</Trans>
        </Button>
        <Button disabled={busy} onClick={() => onDone()}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  )
}
