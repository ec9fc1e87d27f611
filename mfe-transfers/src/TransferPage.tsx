import { useLingui } from '@lingui/react/macro'
import { type Back, ListPage } from '@portal/screens/ListPage'
import type { ComponentProps } from 'react'
import { HoldNotice } from './HoldNotice.tsx'
import { paths } from './paths.ts'

type Props = Omit<ComponentProps<typeof ListPage>, 'back'> & { back?: Back }

/**
 * A page of transfers. Each of them leads back to the dashboard of transfers, and while nothing is sent each of them says
 * so and why.
 */
export function TransferPage({ children, back, ...page }: Props) {
  const { t } = useLingui()
  const dashboard = { to: paths.overview, label: t`Transfers` }
  return (
    <ListPage {...page} back={back && back.to !== paths.overview ? [back, dashboard] : back}>
      <HoldNotice />
      {children}
    </ListPage>
  )
}
