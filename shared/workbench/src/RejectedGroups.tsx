import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type Import, imports, type RejectedGroup } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Icon } from '@portal/ui/Icon'
import { StatusPill } from '@portal/ui/StatusPill'
import { Failed } from '@portal/ui/Table'
import { useEffect, useId } from 'react'
import { acceptedBy, columnOf, labelOf } from './columns.ts'
import { GroupRows } from './GroupRows.tsx'
import { Values } from './SurveyCard.tsx'
import type { Corrections } from './useCorrections.tsx'
import { useImportAddress } from './useImportAddress.tsx'

type Props = { found: Import; sheet: Sheet; corrections?: Corrections }

/** The value in the address if no group is open. Without it the first group would open by itself again. */
const closed = '-'

/** The rejected rows in groups by column and reason, most frequent first. One group is open at a time. */
export function RejectedGroups({ found, sheet, corrections }: Props) {
  const { client } = useHost()
  const { url, go } = useImportAddress()
  const { id } = found
  const read = useQuery(queryOf(client, imports.groups, { params: { id } }))
  const groups = read.data?.groups
  const show = (group: RejectedGroup | null, replace = false) => {
    const view = { import: String(id), kind: 'rejected', column: group?.column ?? closed }
    go(group ? { ...view, reason: group.reason } : view, { replace, preventScrollReset: true })
  }
  const isOpen = (group: RejectedGroup) =>
    url.get('column') === group.column && url.get('reason') === group.reason
  const lost = groups && url.get('column') !== closed && !groups.some(isOpen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is no group any more gives way to the first
  useEffect(() => {
    if (lost) show(groups[0] ?? null, true)
  }, [lost])
  if (!groups) {
    const failure = failureOf(read.error, read.refetch)
    return (
      <div className="card-body">
        {failure ? <Failed {...failure} /> : <Skeleton width="60%" height={48} />}
      </div>
    )
  }
  return (
    <>
      <NotReadAgain problem={read.error} onRetry={read.refetch} />
      {groups.map((group) => {
        const open = isOpen(group)
        return (
          <Group
            key={`${group.column} ${group.reason}`}
            group={group}
            sheet={sheet}
            corrections={corrections}
            open={open}
            onToggle={() => show(open ? null : group)}
          >
            {open && <GroupRows id={id} group={group} sheet={sheet} corrections={corrections} />}
          </Group>
        )
      })}
    </>
  )
}

type GroupProps = {
  group: RejectedGroup
  sheet: Sheet
  corrections: Corrections | undefined
  open: boolean
  onToggle: () => void
  children: React.ReactNode
}

function Group({ group, sheet, corrections, open, onToggle, children }: GroupProps) {
  const { t } = useLingui()
  const id = useId()
  const column = columnOf(sheet, group.column)
  const values = [...new Set(group.samples.map(({ value }) => value ?? '').filter(Boolean))].slice(0, 5)
  const corrected = corrections?.inGroup(group.column, group.reason) ?? 0
  return (
    <div className="group">
      <button type="button" className="group-head" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Icon name={open ? 'down' : 'right'} size={16} />
        <span>
          <span className="strong">{group.column ? labelOf(sheet, group.column) : t`Whole row`}</span>
          {corrected > 0 && (
            <span className="muted">
              {' · '}
              <Plural value={corrected} one="# row corrected" other="# rows corrected" />
            </span>
          )}
          <span className="samples">
            {group.message.replace(/….$/, '…')}{' '}
            {values.length > 0 && (
              <Trans>
                Found <Values values={values} />
              </Trans>
            )}
            {column && <span className="accepted">{acceptedBy(column)}</span>}
          </span>
        </span>
        <StatusPill tone="bad" icon="bad">
          <Plural value={group.count} one="# row" other="# rows" />
        </StatusPill>
      </button>
      <div id={id}>{children}</div>
    </div>
  )
}
