import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { useLeaving } from '../../platform/dirty.ts'

/** Something typed here would be lost by going elsewhere. */
export function LeaveDialog() {
  const { t } = useLingui()
  const go = useLeaving((state) => state.go)
  const stay = () => useLeaving.setState({ go: null })
  if (!go) return null
  return (
    <Dialog
      title={t`Leave this page?`}
      onClose={stay}
      footer={
        <>
          <span className="grow" />
          <Button
            variant="danger"
            onClick={() => {
              useLeaving.setState({ go: null })
              go()
            }}
          >
            <Trans>Leave</Trans>
          </Button>
          <Button variant="primary" data-autofocus onClick={stay}>
            <Trans>Stay</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>You have changes that are not saved. They are lost when you leave.</Trans>
      </p>
    </Dialog>
  )
}
