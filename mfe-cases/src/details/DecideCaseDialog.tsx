import { Trans, useLingui } from '@lingui/react/macro'
import { type Case, cases } from '@portal/contracts/cases'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredNow } from '@portal/screens/useStoredNow'
import { TextAreaField } from '@portal/ui/TextField'
import { fullName } from '../words.tsx'

type Props = { complain: Case; action: 'resolve' | 'reject'; onClose: () => void }

/** Delivers a verdict, or turns the case down; both are final and told to whoever filed it. */
export function DecideCaseDialog({ complain, action, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.decide, {
    defaults: { complain_id: complain.id, action, verdict: '', version: complain.version },
    refetches: [cases.details, cases.list],
    onDone: onClose,
    problems: 'request',
  })
  useStoredNow(form, { version: complain.version })
  const resolving = action === 'resolve'
  const filer = fullName(complain.user)
  return (
    <ConfirmDialog
      title={resolving ? t`Resolve case` : t`Reject case`}
      description={`${complain.number} · ${complain.title}`}
      form={form}
      onClose={onClose}
      danger={!resolving}
      confirmLabel={resolving ? <Trans>Deliver verdict</Trans> : <Trans>Reject case</Trans>}
    >
      <p>{t`${filer} is notified. A case that is decided cannot be opened again.`}</p>
      {complain.status === 'in_progress' && (
        <p>{t`A consultation is still open. It ends with this decision, and its link stops working.`}</p>
      )}
      <TextAreaField
        control={form.control}
        name="verdict"
        label={resolving ? t`Verdict (optional)` : t`Reason (optional)`}
        help={t`It stays with the case, where ${filer} reads it.`}
        rows={4}
        maxLength={5000}
      />
    </ConfirmDialog>
  )
}
