import { Trans } from '@lingui/react/macro'

/** Users. */
export default function UsersPage() {
  return (
    <h1>
      <Trans>Users</Trans>
    </h1>
  )
}
