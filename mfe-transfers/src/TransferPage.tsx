import { ListPage } from '@portal/screens/ListPage'
import type { ComponentProps } from 'react'
import { HoldNotice } from './HoldNotice.tsx'

/** A page of transfers: while nothing is sent, each of them says so and why. */
export function TransferPage({ children, ...page }: ComponentProps<typeof ListPage>) {
  return (
    <ListPage {...page}>
      <HoldNotice />
      {children}
    </ListPage>
  )
}
