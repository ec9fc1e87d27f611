import { useLingui } from '@lingui/react/macro'
import type { AuditLog } from '@portal/contracts/audit'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { DateText, Nothing } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Table } from '@portal/ui/Table'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { useAuditWords } from './useAuditWords.ts'
import { differences, fieldName, pairText, valueText, type Words } from './values.ts'
import { eventName, subjectOf, whoActed } from './words.ts'

/** One entry with every field of its difference. */
export function AuditLogDialog({ log, onClose }: { log: AuditLog; onClose: () => void }) {
  const { t } = useLingui()
  const rows = differences(log)
  const known = useAuditWords()
  const words = known.fields(log)
  const subject = subjectOf(log) ?? (log.auditable_id && `#${log.auditable_id}`)
  return (
    <DetailsDialog
      title={eventName(log.event)}
      description={subject ? pairText(known.type(log), subject) : known.type(log)}
      onClose={onClose}
      wide
      facts={[
        { key: 'date', label: t`Date`, value: <DateText iso={log.created_at} time /> },
        { key: 'user', label: t`User`, value: whoActed(log) },
        { key: 'ip', label: t`IP`, value: log.ip_address ?? <Nothing /> },
        { key: 'agent', label: t`User agent`, value: log.user_agent ?? <Nothing /> },
        ...(log.module ? [{ key: 'module', label: t`Called by a module`, value: log.module }] : []),
      ]}
    >
      {log.erased && (
        <Notice>{t`The values were erased at a person’s request. That they were there is still proven.`}</Notice>
      )}
      {!log.erased && (
        <Table
          label={t`What changed`}
          compact
          rows={rows}
          rowKey={(row) => row.field}
          empty={t`This event changed no values.`}
          columns={[
            { key: 'field', header: t`Field`, cell: (row) => fieldName(row.field, words) },
            {
              key: 'old',
              header: t`Old values`,
              wrap: true,
              cell: (row) => <Value of={row.old} field={row.field} words={words} />,
            },
            {
              key: 'new',
              header: t`New values`,
              wrap: true,
              cell: (row) => <Value of={row.new} field={row.field} words={words} />,
            },
          ]}
        />
      )}
    </DetailsDialog>
  )
}

type ValueProps = { of: unknown; field: string; words: Words }

/** A value in words; what has a page leads there. */
function Value({ of, field, words }: ValueProps) {
  if (of === undefined) return <Nothing />
  const several: unknown[] = Array.isArray(of) ? of : [of]
  if (!several.some(isLinked)) return <span className="pre-line">{valueText(of, field, words)}</span>
  return several.map((each, at) => (
    <Fragment key={isLinked(each) ? each.id : valueText(each, field, words)}>
      {at > 0 && ', '}
      {isLinked(each) ? <Link to={each.link}>{each.name}</Link> : valueText(each, field, words)}
    </Fragment>
  ))
}

const isLinked = (value: unknown): value is { id: number; name: string; link: string } =>
  typeof value === 'object' && value !== null && 'link' in value && 'name' in value
