import { Trans, useLingui } from '@lingui/react/macro'
import { attendance, type SilentSchool } from '@portal/contracts/attendance'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { DateText, Nothing } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { linkTo } from '../../platform/announced.ts'
import { registry } from '../../platform/live-registry.ts'

const every = 300_000

/** The schools that have sent nothing since Monday, to be asked. */
export function SilentSchools() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(attendance.silentSchools, 'schools', { every })
  const opens = can('schools.view') && can('teachers.view')
  const columns: Column<SilentSchool>[] = [
    {
      key: 'name',
      header: t`School name`,
      sortable: true,
      wrap: true,
      cell: (school) => {
        const to = opens ? linkTo(registry, 'school.teachers', school.id) : undefined
        return to ? <Link to={to}>{school.name}</Link> : school.name
      },
    },
    { key: 'admin_code', header: t`School ID`, sortable: true },
    {
      key: 'admin_district_as_cap',
      header: t`CAP`,
      wrap: true,
      phone: 'note',
      cell: (school) => school.admin_district_as_cap ?? <Nothing />,
    },
    {
      key: 'last_report',
      header: t`Last report`,
      sortable: true,
      phone: 'note',
      cell: (school) =>
        school.last_report ? (
          <DateText iso={school.last_report} />
        ) : (
          <span className="muted">{t`never`}</span>
        ),
    },
  ]
  return (
    <section className="stack close">
      <div>
        <h2>
          <Trans>Schools that have not reported this week</Trans>
        </h2>
        <p className="muted">
          <Trans>Neither a message nor a line of a workbook has come from them since Monday.</Trans>
        </p>
      </div>
      <DataTable
        label={t`Schools that have not reported this week`}
        list={list}
        columns={columns}
        search={t`School name or ID`}
        empty={{
          title: t`Every school has reported this week.`,
          text: t`Schools that fall silent are listed here from the next Monday on.`,
        }}
      />
    </section>
  )
}
