import { useLingui } from '@lingui/react/macro'
import { type Erasure, personData } from '@portal/contracts/access/person-data'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import './words.ts'

/** Takes one's own request back, before anybody has decided. */
export function WithdrawErasureDialog({ erasure, onClose }: { erasure: Erasure; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(personData.withdrawErasure, {
    params: { id: erasure.id },
    defaults: { version: erasure.version },
    refetches: [personData.read, personData.erasures],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Take back the request`}
      description={erasure.name}
      form={form}
      onClose={onClose}
      confirmLabel={t`Take back`}
    >
      <p>{t`Nothing is erased. The request stays in the list as taken back.`}</p>
    </ConfirmDialog>
  )
}
