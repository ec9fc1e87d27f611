import { Trans, useLingui } from '@lingui/react/macro'
import type { Client } from '@portal/client/client'
import { type Consultation, external } from '@portal/contracts/cases/external'
import { formatDate } from '@portal/i18n/format'
import { Card } from '@portal/ui/Card'
import { Facts } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { PageHead } from '@portal/ui/Page'
import { useEffect, useState } from 'react'
import { AnswerForm } from './AnswerForm.tsx'
import { DeclineForm } from './DeclineForm.tsx'
import { clearDraft, keepDraft, readDraft } from './draft.ts'
import type { Sent } from './Receipt.tsx'
import { SharedDocuments } from './SharedDocuments.tsx'
import { useSending } from './useSending.ts'
import { useSalutation } from './words.ts'

type Props = {
  consultation: Consultation
  client: Client
  /** Absent in a reviewer's preview, which sends nothing. */
  invite?: string
  onChange: (next: Consultation, sent?: Sent) => void
  /** It was answered elsewhere or withdrawn meanwhile; with what the consultant had typed. */
  onGone: (typed: string) => void
}

/** An open request: who asks whom about which case, the question, its documents, and the answer. */
export function Request({ consultation, client, invite, onChange, onGone }: Props) {
  const { t } = useLingui()
  const { id, user, complain, comment, created_at, expires_at } = consultation
  const [draft, setDraft] = useState(() => readDraft(id))
  const [file, setFile] = useState<File | null>(null)
  const [declining, setDeclining] = useState(false)
  const [chosen, setChosen] = useState(false)
  const [held, setHeld] = useState(false)
  const answering = useSending(client, external.answer, invite)
  const forgotten = t`You have chosen a document above that is not uploaded yet. Upload it or cancel it, then send your answer.`
  const sending = held && chosen ? { ...answering, failure: forgotten } : answering
  const gone = sending.problem?.status === 409 || sending.problem?.kind === 'missing'
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone once
  useEffect(() => {
    if (gone) onGone(declining ? draft.reason : draft.comment)
  }, [gone])
  const write = (part: Partial<typeof draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    if (invite) keepDraft(id, next)
  }
  const turn = (to: boolean) => {
    setHeld(false)
    answering.reset()
    setDeclining(to)
  }
  const answer = async (reject: boolean, text: string, document: File | null) => {
    // The link is closed with the answer, and nothing can be added afterwards.
    setHeld(chosen)
    if (chosen) return
    const taken = await answering.send({ reject, comment: text, ...(document && { file: document }) })
    if (!taken) return
    clearDraft(id)
    onChange(taken.referral, { comment: text, file: document?.name ?? null, message: taken.message })
  }
  const salutation = useSalutation(consultation.salutation)
  const name = `${salutation} ${consultation.first_name} ${consultation.last_name}`
  const reviewer = `${user.first_name} ${user.last_name}`
  const filed = formatDate(complain.created_at)
  return (
    <>
      <PageHead
        title={t`Consultation request`}
        text={
          <Trans>
            Good day {name}. {reviewer} would like your opinion on a case. You need no account.
          </Trans>
        }
      />
      <Facts
        facts={[
          { key: 'number', label: t`Case number`, value: complain.number, note: t`filed ${filed}` },
          { key: 'reviewer', label: t`Reviewer`, value: reviewer },
          { key: 'asked', label: t`Requested on`, value: <DateText iso={created_at} /> },
          { key: 'until', label: t`Link valid until`, value: <DateText iso={expires_at} /> },
        ]}
      />
      <Card title={t`The question`} padded>
        <p className="lead pre-line">{comment}</p>
      </Card>
      <SharedDocuments
        consultation={consultation}
        client={client}
        invite={invite}
        onChosen={setChosen}
        onChange={onChange}
      />
      {declining ? (
        <DeclineForm
          reason={draft.reason}
          onReason={(reason) => write({ reason })}
          sending={sending}
          onSend={() => void answer(true, draft.reason, null)}
          onBack={() => turn(false)}
        />
      ) : (
        <AnswerForm
          comment={draft.comment}
          onComment={(text) => write({ comment: text })}
          sending={sending}
          inert={!invite}
          file={file}
          onFile={(chosen) => {
            setFile(chosen)
            answering.forget('file')
          }}
          onSend={() => void answer(false, draft.comment, file)}
          onDecline={() => turn(true)}
        />
      )}
    </>
  )
}
