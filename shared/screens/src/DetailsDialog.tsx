import { Trans } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Nothing } from '@portal/ui/Money'
import type { ReactNode } from 'react'

/** One line of a record. */
export type Fact = { label: string; value: ReactNode }

type Props = {
  title: ReactNode
  description?: ReactNode
  facts: readonly Fact[]
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
      <dl className="totals">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? <Nothing />}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Dialog>
  )
}
