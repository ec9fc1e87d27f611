import { Trans, useLingui } from '@lingui/react/macro'
import { type Erasure, type PersonData, personData } from '@portal/contracts/access/person-data'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField } from '@portal/ui/TextField'
import { fullName } from '../words.ts'
import { Parts } from './Parts.tsx'
import './words.ts'

type Props = {
  erasure: Erasure
  parts: PersonData['parts']
  action: 'approved' | 'refused'
  onClose: () => void
}

/** The second person's decision on a request to erase. */
export function DecideErasureDialog({ erasure, parts, action, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(personData.decideErasure, {
    params: { id: erasure.id },
    defaults: { action, reason: '', version: erasure.version },
    refetches: [personData.read, personData.erasures],
    onDone: onClose,
  })
  const approves = action === 'approved'
  const who = fullName(erasure.asked_by)
  return (
    <ConfirmDialog
      title={approves ? t`Approve erasure` : t`Refuse erasure`}
      description={erasure.name}
      form={form}
      onClose={onClose}
      danger={approves}
      confirmLabel={approves ? t`Erase for good` : t`Refuse`}
    >
      <Notice tone="waiting" title={t`${who} asked for it:`}>
        {erasure.reason}
      </Notice>
      {erasure.stop_paying && <p>{t`Nothing of the rounds to come is paid.`}</p>}
      {erasure.cases.length > 0 && <p>{t`Cases that are emptied, too: ${erasure.cases.join(', ')}`}</p>}
      {approves && (
        <>
          <p>
            <Trans>
              Everything of this person is erased in the next night at the latest, and cannot be brought back.
              This stays:
            </Trans>
          </p>
          <Parts parts={parts} />
        </>
      )}
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason of the decision`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
