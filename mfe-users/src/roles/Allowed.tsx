import { Trans } from '@lingui/react/macro'
import type { Role } from '@portal/contracts/access'
import { groupBy } from '@portal/contracts/group-by'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Tag, Tags } from '@portal/ui/StatusPill'
import { allows, partsOf, resourceName } from '../words.ts'

/** `schools.view`, `schools.update` as one line: "Schools: view, edit"; without any, the way to give some. */
export function Allowed({ role, onAssign }: { role: Role; onAssign: (role: Role) => void }) {
  const can = useCan()
  const byResource = groupBy(role.permissions, ({ name }) => partsOf(name)[0])
  if (byResource.size === 0 && role.dropped.length === 0) {
    return can('permissions.assign') ? (
      <Button small icon="shield" onClick={() => onAssign(role)}>
        <Trans>Assign Permissions</Trans>
      </Button>
    ) : (
      <span className="muted">
        <Trans>No permissions</Trans>
      </span>
    )
  }
  return (
    <Tags>
      {[...byResource].map(([resource, permissions]) => (
        <Tag key={resource}>{about(resource, permissions)}</Tag>
      ))}
      {role.dropped.map((permission) => (
        <Tag key={permission.name}>
          <Dropped permission={permission} />
        </Tag>
      ))}
    </Tags>
  )
}

/** It allows nothing. Whoever assigns permissions to the role decides. */
function Dropped({ permission }: { permission: Role['dropped'][number] }) {
  const name = allows(permission)
  return permission.declared ? <Trans>No longer given: {name}</Trans> : <Trans>No longer used: {name}</Trans>
}

function about(resource: string, permissions: Role['permissions']) {
  const name = resourceName(resource)
  const actions = permissions.map(allows).join(', ')
  // A module's permissions say by themselves what they are about.
  if (permissions.every(({ label }) => label)) return actions
  return (
    <Trans>
      {name}: {actions}
    </Trans>
  )
}
