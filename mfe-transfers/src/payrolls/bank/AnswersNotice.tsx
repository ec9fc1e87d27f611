import { useLingui } from '@lingui/react/macro'
import type { AnswerEffect, BankFile } from '@portal/contracts/transfers/bank-files'
import { formatDateTime } from '@portal/i18n/format'
import { fullName } from '../../words.tsx'

/** What the bank answered to the files, newest first, and the lines that a person has to look at. */
export function AnswersNotice({ files }: { files: readonly BankFile[] }) {
  const { t } = useLingui()
  const effects: Record<AnswerEffect, string> = {
    paid: t`paid`,
    failed: t`refused`,
    waiting: t`the bank still has it`,
    same: t`was settled so before`,
    duplicate: t`the bank had it before: nothing was changed`,
    differs: t`does not agree with the order: the payment is unknown`,
    contradicts: t`contradicts what was settled: see the answers that do not agree`,
    unreadable: t`its status is not known: ask the bank`,
    unknown: t`no payment of the file has this name`,
  }
  const answers = files.flatMap((file) => file.answers)
  if (answers.length === 0) return null
  return (
    <div className="card-body">
      <ul>
        {answers.map(({ id, file_name, user, created_at, paid, failed, unchanged, others, to_look_at }) => (
          <li key={id}>
            {file_name} · {fullName(user)}, {formatDateTime(created_at)} ·{' '}
            {t`paid: ${paid}, refused: ${failed}, unchanged: ${unchanged}, to look at: ${others}`}
            {to_look_at.length > 0 && (
              <ul className="small">
                {to_look_at.map(({ end_to_end_id, status, reason, effect }) => (
                  <li key={`${end_to_end_id} ${effect}`}>
                    <span className="mono">{end_to_end_id}</span> {[status, reason].filter(Boolean).join(' ')}
                    : {effects[effect]}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
