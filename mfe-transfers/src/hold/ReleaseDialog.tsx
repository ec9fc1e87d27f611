import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { type SendingHold, sendingHold } from '@portal/contracts/transfers/sending-hold'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'

/** Lets payments go out again; the server asks for the password first. */
export function ReleaseDialog({ hold, onClose }: { hold: SendingHold; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(sendingHold.release, {
    refetches: [sendingHold.read, transfers.summary, transfers.progress, transfers.cohorts],
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Release payments`}
      form={form}
      onClose={onClose}
      barred={hold.barred}
      confirmLabel={t`Release payments`}
    >
      {hold.unknown_here + hold.differs > 0 && (
        <Notice tone="waiting" title={t`Some differences need a person.`}>
          <Trans>Payments that are unknown here stay so: note them before you go on.</Trans>
        </Notice>
      )}
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'learned', label: t`Learned, not sent again`, value: <Count value={hold.learned} /> },
          {
            key: 'differs',
            label: t`Differing answers, not sent again`,
            value: <Count value={hold.differs} />,
          },
          { key: 'unknown', label: t`Unknown here`, value: <Count value={hold.unknown_here} /> },
          { key: 'missed', label: t`Rounds that will be missed`, value: <Count value={hold.to_miss} /> },
        ]}
      />
      <p>
        <Trans>
          Rounds whose day has passed meanwhile are missed, and so are those of agencies that cannot be asked
          whether they have paid them. An approver may start each of them by hand. What is still open is sent.
          A payment that has been sent cannot be taken back.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
