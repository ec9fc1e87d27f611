import { Trans, useLingui } from '@lingui/react/macro'
import type { Consultation } from '@portal/contracts/cases/external'
import { formatDateTime } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { Notice } from '@portal/ui/Notice'
import { useEffect, useRef } from 'react'
import { clearDraft } from './draft.ts'

/** What was sent just now; a page opened later no longer has it. */
export type Sent = { comment: string; file: string | null; message: string }

/** The thanks once a request is answered or declined, and right after sending the receipt of it. */
export function Receipt({ consultation, sent }: { consultation: Consultation; sent: Sent | undefined }) {
  const { t } = useLingui()
  const { id, number, complain, resolved_at, rejected_at } = consultation
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    clearDraft(id)
    if (sent) heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [id, sent])
  const when = formatDateTime(resolved_at ?? rejected_at)
  const facts = [
    { key: 'number', label: t`Reference`, value: number },
    { key: 'case', label: t`Case number`, value: complain.number },
    { key: 'when', label: resolved_at ? t`Input received` : t`Refusal received`, value: t`${when} UTC` },
  ]
  if (sent?.comment)
    facts.push({
      key: 'comment',
      label: resolved_at ? t`Your input` : t`Reason`,
      value: sent.comment,
    })
  if (sent?.file) facts.push({ key: 'file', label: t`Document`, value: sent.file })
  return (
    <>
      <div className="page-head">
        <div className="titles">
          <h1 ref={heading} tabIndex={-1}>
            <Trans>Thank you</Trans>
          </h1>
        </div>
      </div>
      <Notice tone={resolved_at ? 'good' : 'info'} title={sent?.message}>
        {sent
          ? t`The reviewer has been told. There is nothing more for you to do.`
          : resolved_at
            ? t`Your input has been received and the reviewer has been told. There is nothing more for you to do.`
            : t`Your refusal has been recorded and the reviewer has been told. There is nothing more for you to do.`}
      </Notice>
      <Card
        title={sent ? t`Receipt` : t`Consultation request`}
        foot={<p className="small muted">{t`The link no longer shows the case.`}</p>}
      >
        <Sheet
          facts={facts.map((fact) => ({ ...fact, value: <span className="pre-line">{fact.value}</span> }))}
        />
      </Card>
      {sent && (
        <div className="actions">
          <Button icon="print" onClick={() => window.print()}>
            <Trans>Print the receipt</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
