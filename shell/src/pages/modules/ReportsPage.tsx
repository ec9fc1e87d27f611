import { useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { ListPage } from '@portal/screens/ListPage'
import { useSession } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { type Column, Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { type FoundReport, reportsFor } from '../../platform/announced.ts'
import { registry } from '../../platform/live-registry.ts'
import { ReportFile } from './ReportFile.tsx'
import './modules.css'

/** The reports of all modules that this person may see. */
export default function ReportsPage() {
  const { t } = useLingui()
  const { permissions } = useSession()
  const locale = currentLocale()
  const columns: Column<FoundReport>[] = [
    {
      key: 'title',
      header: t`Report`,
      phone: 'title',
      wrap: true,
      width: '60%',
      cell: ({ title, text, link }) => (
        <span>
          <Link to={link} className="strong">
            {title[locale]}
          </Link>
          <span className="under">{text[locale]}</span>
        </span>
      ),
    },
    {
      key: 'module',
      header: t`Module`,
      wrap: true,
      phone: 'note',
      cell: ({ entry }) => entry.title[locale],
    },
    {
      key: 'file',
      header: t`File`,
      cell: (report) => <ReportFile report={report} />,
    },
  ]
  return (
    <ListPage title={t`Reports`} description={t`What the modules of the portal report, as pages and files.`}>
      <Card padded={false}>
        <Table
          label={t`Reports`}
          columns={columns}
          rows={reportsFor(registry, permissions)}
          rowKey={({ entry, id }) => `${entry.name}:${id}`}
          rowName={({ title }) => title[locale]}
          empty={t`No module has a report for you`}
          failure={null}
        />
      </Card>
    </ListPage>
  )
}
