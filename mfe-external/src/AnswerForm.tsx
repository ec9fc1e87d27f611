import { Trans, useLingui } from '@lingui/react/macro'
import { DocumentDrop } from '@portal/screens/DocumentDrop'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useEffect, useRef } from 'react'
import { SendingState } from './SendingState.tsx'

/** What a form of this page needs of its call. */
export type Sending = {
  busy: boolean
  share: number | null
  failure: string | null
  errors: Record<string, string>
}
type Props = {
  comment: string
  onComment: (comment: string) => void
  sending: Sending
  /** A preview: to look at. */
  inert: boolean
  file: File | null
  onFile: (file: File | null) => void
  onSend: () => void
  onDecline: () => void
}

/** The consultant's input, with a document where one helps. */
export function AnswerForm({ comment, onComment, sending, inert, file, onFile, onSend, onDecline }: Props) {
  const { t } = useLingui()
  const text = useRef<HTMLTextAreaElement>(null)
  const { busy, errors } = sending
  useEffect(() => {
    if (errors.comment) text.current?.focus()
  }, [errors])
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!inert) onSend()
      }}
    >
      <SendingState sending={sending} />
      <FieldFrame
        label={t`Your input`}
        help={t`Write initials instead of names, and no telephone numbers. What you write is kept in this window until you send it.`}
        required
        error={errors.comment}
      >
        {(worn) => (
          <textarea
            {...worn}
            ref={text}
            className="input"
            name="comment"
            rows={5}
            maxLength={5000}
            readOnly={inert || busy}
            value={comment}
            onChange={(event) => onComment(event.target.value)}
          />
        )}
      </FieldFrame>
      <DocumentDrop
        label={t`Document (optional)`}
        help={t`JPG, PNG or PDF, 2 MB at most.`}
        name="file"
        file={file}
        onFile={onFile}
        disabled={inert || busy}
        error={errors.file}
      />
      <div className="actions">
        <Button type="submit" variant="primary" icon="send" busy={busy} disabled={inert}>
          <Trans>Send feedback</Trans>
        </Button>
        <Button onClick={onDecline} disabled={inert || busy}>
          <Trans>Unable to Participate</Trans>
        </Button>
      </div>
      <p className="small muted">
        <Trans>Once you have sent it, the link no longer shows the case.</Trans>
      </p>
    </form>
  )
}
