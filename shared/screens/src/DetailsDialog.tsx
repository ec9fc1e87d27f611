import { Trans } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { type Fact, Sheet } from '@portal/ui/Figures'
import type { ReactNode } from 'react'

export type { Fact } from '@portal/ui/Figures'

type Props = {
  title: ReactNode
  description?: ReactNode
  facts?: Fact[]
  onClose: () => void
  /** Where to go or what to do from here. */
  actions?: ReactNode
  wide?: boolean
  /** What follows the facts. */
  children?: ReactNode
}

/** A record to read, with the ways on from it. */
export function DetailsDialog({ title, description, facts, onClose, actions, wide, children }: Props) {
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      wide={wide}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {actions}
        </>
      }
    >
      {facts && <Sheet facts={facts} />}
      {children}
    </Dialog>
  )
}
