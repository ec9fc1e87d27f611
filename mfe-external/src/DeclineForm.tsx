import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { useEffect, useId, useRef } from 'react'
import type { Sending } from './AnswerForm.tsx'
import { SendingState } from './SendingState.tsx'

type Props = {
  reason: string
  onReason: (reason: string) => void
  sending: Sending
  onSend: () => void
  onBack: () => void
}

/** Asks before a refusal, which cannot be taken back; saying why is optional. */
export function DeclineForm({ reason, onReason, sending, onSend, onBack }: Props) {
  const { t } = useLingui()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { busy, errors } = sending
  return (
    <form
      className="card"
      noValidate
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      <div>
        <h2 id={id} ref={heading} tabIndex={-1}>
          <Trans>Unable to Participate</Trans>
        </h2>
        <p>
          <Trans>Your refusal is final: the reviewer is told, and the link no longer shows the case.</Trans>
        </p>
      </div>
      <SendingState sending={sending} />
      <FieldFrame
        label={t`Reason (optional)`}
        help={t`It helps the reviewer to find somebody else.`}
        error={errors.comment}
      >
        {(worn) => (
          <textarea
            {...worn}
            className="input"
            name="reason"
            rows={3}
            maxLength={5000}
            readOnly={busy}
            value={reason}
            onChange={(event) => onReason(event.target.value)}
          />
        )}
      </FieldFrame>
      <div className="actions">
        <Button type="submit" variant="danger-fill" busy={busy}>
          <Trans>Decline the request</Trans>
        </Button>
        <Button onClick={onBack} disabled={busy}>
          <Trans>Go back</Trans>
        </Button>
      </div>
    </form>
  )
}
