import { Trans } from '@lingui/react/macro'
import type { Role } from '@portal/contracts/access'
import { Notice } from '@portal/ui/Notice'
import { allows } from '../words.ts'

/** What the role allowed until a module dropped the permission. It is never given again by itself. */
export function DroppedNotice({ dropped }: Pick<Role, 'dropped'>) {
  const namesOf = (declared: boolean) =>
    dropped
      .filter((permission) => permission.declared === declared)
      .map(allows)
      .join(', ')
  const [gone, back] = [namesOf(false), namesOf(true)]
  if (!gone && !back) return null
  return (
    <Notice tone="waiting">
      {gone && (
        <p>
          <Trans>No module uses this any more, and it leaves the role when you save: {gone}.</Trans>
        </p>
      )}
      {back && (
        <p>
          <Trans>
            The role had this until its module dropped it. The module has it again; choose it below to give it
            again: {back}.
          </Trans>
        </p>
      )}
    </Notice>
  )
}
