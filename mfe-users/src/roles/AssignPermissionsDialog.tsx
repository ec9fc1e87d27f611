import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { permissions, type Role, roles } from '@portal/contracts/access'
import { groupBy } from '@portal/contracts/group-by'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { BusyHint, FormFailure } from '@portal/screens/FormDialog'
import { failureOf } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { CancelButton, Dialog } from '@portal/ui/Dialog'
import { Failed } from '@portal/ui/Table'
import { allows, nameOfRole, partsOf, resourceName } from '../words.ts'
import { DroppedNotice } from './DroppedNotice.tsx'
import { PermissionGroup } from './PermissionGroup.tsx'

/** A role as the form has it. */
const flat = ({ id, permissions, version }: Role) => ({
  role_id: id,
  permissions: permissions.map((permission) => permission.id),
  version,
})

/** What a role allows, as one list of boxes by resource; it replaces what the role allowed (Access 3.4). */
export function AssignPermissionsDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useLingui()
  const { client, session } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, permissions.list))
  const before = flat(role)
  const form = useEndpointForm(permissions.assign, {
    defaults: before,
    refetches: [roles.list],
    onDone: onClose,
  })
  const about = (resource: string) => resourceName(resource, data?.resources)
  const chosen = form.fields.watch('permissions').map(Number)
  const choose = (ids: number[], wanted: boolean) => {
    const others = chosen.filter((id) => !ids.includes(id))
    form.fields.setValue('permissions', wanted ? [...others, ...ids] : others, { shouldDirty: true })
  }
  const mayChange = ({ name }: { name: string }) => session.permissions.includes(name)
  const groups = [...groupBy(data?.permissions ?? [], ({ name }) => partsOf(name)[0])]
  const failure = failureOf(error, refetch)
  return (
    <Dialog
      title={t`Assign Permissions`}
      description={nameOfRole(role)}
      onClose={onClose}
      onSubmit={() => chosen.length > 0 && form.submit()}
      dirty={form.dirty}
      busy={form.busy}
      wide
      footer={
        <>
          {form.busy ? (
            <BusyHint form={form} />
          ) : (
            <span className="grow muted" role="status">
              {chosen.length === 0 ? (
                <Trans>Choose at least one permission.</Trans>
              ) : (
                <Plural value={chosen.length} one="# permission chosen" other="# permissions chosen" />
              )}
            </span>
          )}
          <CancelButton disabled={form.busy} />
          <Button type="submit" variant="primary" busy={form.busy} disabled={chosen.length === 0}>
            <Trans>Assign Permissions</Trans>
          </Button>
        </>
      }
    >
      <FormFailure form={withoutConflict(form)} />
      <Conflict
        form={form}
        read={async () => flat((await client.call(roles.read, { params: { id: role.id } })).role)}
        fields={{
          role_id: null,
          permissions: {
            label: t`Permissions`,
            text: (ids) =>
              (data?.permissions ?? [])
                .filter(({ id }) => (ids as number[]).includes(id))
                .map((permission) => `${about(partsOf(permission.name)[0])}: ${allows(permission)}`)
                .join(', '),
          },
        }}
      />
      <DroppedNotice dropped={role.dropped} />
      {failure && <Failed {...failure} />}
      {!data && !failure && <Skeleton width="70%" height={240} />}
      {groups.map(([resource, options]) => (
        <PermissionGroup
          key={resource}
          name={about(resource)}
          options={options}
          chosen={chosen}
          mayChange={mayChange}
          onChoose={choose}
        />
      ))}
    </Dialog>
  )
}
