import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { useEffect } from 'react'
import { useLeaving } from '../../session/dirty.ts'

/** Something typed here would be lost by going elsewhere. */
export function LeaveDialog() {
  const { t } = useLingui()
  const asked = useLeaving((state) => state.asked)
  const saved = useLeaving((state) => state.forms.size === 0)
  // If the form was sent while the dialog was open, nothing can be lost, and the dialog closes.
  useEffect(() => {
    if (!asked || !saved) return
    useLeaving.setState({ asked: null })
    asked.stay?.()
  }, [asked, saved])
  if (!asked || saved) return null
  const answer = (act: (() => void) | undefined) => {
    useLeaving.setState({ asked: null })
    act?.()
  }
  const stay = () => answer(asked.stay)
  return (
    <Dialog
      title={t`Leave this page?`}
      onClose={stay}
      footer={
        <>
          <span className="grow" />
          <Button variant="danger" onClick={() => answer(asked.go)}>
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
