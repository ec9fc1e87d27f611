import { Trans, useLingui } from '@lingui/react/macro'
import { type HeldRound, sendingHold } from '@portal/contracts/transfers/sending-hold'
import { formatNumber } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'

/** A person answers for what the agency does not tell. */
export function ConfirmRoundDialog({ round, onClose }: { round: HeldRound; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(sendingHold.confirmRound, {
    params: { id: round.id },
    refetches: [sendingHold.read],
    problems: 'approval',
    onDone: onClose,
  })
  const left = formatNumber(round.entries - round.asked)
  return (
    <ConfirmDialog
      title={t`Confirm round`}
      description={`${round.cohort_name} · ${round.agency_name}`}
      form={form}
      onClose={onClose}
      confirmLabel={t`Confirm round`}
    >
      <p>
        <Trans>
          The agency did not say what became of {left} payments. Compare them with its statement first: once
          payments are released, those that are still open are sent with the keys they always had.
        </Trans>
      </p>
      {round.failure === 'moved' && (
        <p>
          <Trans>
            This agency had moved to another address or account that the portal no longer knows. If payments
            must not go to the address of before, stop the cohort first and change the agency once sending is
            released.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}
