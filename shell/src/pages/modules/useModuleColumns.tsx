import { useLingui } from '@lingui/react/macro'
import type { ModuleStatus } from '@portal/contracts/modules'
import { formatBytes } from '@portal/i18n/format'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import type { Column } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { LoadTime, ModulePill, PublishedBy } from './pieces.tsx'
import { titleOf } from './words.ts'

/** The columns of the list of modules. */
export function useModuleColumns(): Column<ModuleStatus>[] {
  const { t } = useLingui()
  return [
    {
      key: 'title',
      header: t`Module`,
      wrap: true,
      cell: (module) => (
        <span>
          <Link to={`/admin/modules?module=${module.name}`}>{titleOf(module)}</Link>
          <span className="sub">{module.name}</span>
        </span>
      ),
    },
    {
      key: 'state',
      header: t`Status`,
      phone: 'main',
      wrap: true,
      cell: (module) => <ModulePill module={module} />,
    },
    {
      key: 'version',
      header: t`Version`,
      phone: 'note',
      cell: ({ version, build }) => (
        <span>
          {version}
          <span className="sub more mono">{build.slice(0, 7)}</span>
        </span>
      ),
    },
    { key: 'owner', header: t`Owner`, wrap: true, cell: ({ owner }) => owner.name },
    {
      key: 'published_at',
      header: t`Published`,
      cell: (module) => (
        <span>
          <DateText iso={module.published_at} time />
          <span className="under">
            <PublishedBy module={module} />
          </span>
        </span>
      ),
    },
    { key: 'loads', header: t`Loads`, align: 'right', cell: ({ loads }) => <Count value={loads} /> },
    { key: 'errors', header: t`Errors`, align: 'right', cell: ({ errors }) => <Count value={errors} /> },
    {
      key: 'load_ms_median',
      header: t`Load time`,
      gap: true,
      cell: (module) => <LoadTime module={module} />,
    },
    {
      key: 'bytes_median',
      header: t`First load`,
      align: 'right',
      cell: ({ bytes_median }) => (bytes_median === null ? <Nothing /> : formatBytes(bytes_median)),
    },
  ]
}
