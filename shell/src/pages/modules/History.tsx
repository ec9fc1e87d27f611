import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModuleVersion, type ModuleWeek, modules } from '@portal/contracts/modules'
import { formatNumber } from '@portal/i18n/format'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'

/** How a module was used, week by week. */
export function UsageCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, modules.usage, { params: { module: name } }))
  const columns: Column<ModuleWeek>[] = [
    { key: 'week', header: t`Week from`, phone: 'title', cell: ({ week }) => <DateText iso={week} /> },
    {
      key: 'loads',
      header: t`Loads`,
      align: 'right',
      phone: 'main',
      cell: ({ loads }) => <Count value={loads} />,
    },
    { key: 'people', header: t`People`, align: 'right', cell: ({ people }) => <Count value={people} /> },
    { key: 'errors', header: t`Errors`, align: 'right', cell: ({ errors }) => <Count value={errors} /> },
    {
      key: 'load_ms_median',
      header: t`Load time`,
      align: 'right',
      cell: ({ load_ms_median: ms }) => (ms === null ? <Nothing /> : `${formatNumber(ms / 1000, 1)}\u00a0s`),
    },
  ]
  return (
    <Card title={t`Usage by week`} text={t`Reports are kept for 30 days.`}>
      <Table
        label={t`Usage by week`}
        expected={4}
        columns={columns}
        rows={data?.weeks}
        rowKey={({ week }) => week}
        empty={t`Nobody has opened it yet`}
        failure={data ? null : failureOf(error, refetch)}
      />
    </Card>
  )
}

/** The published versions of a module, and how each stands. */
export function VersionsCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, modules.versions, { params: { module: name } }))
  const columns: Column<ModuleVersion>[] = [
    {
      key: 'version',
      header: t`Version`,
      phone: 'title',
      cell: ({ version, build }) => (
        <span>
          {version}
          <span className="sub mono">{build.slice(0, 7)}</span>
        </span>
      ),
    },
    { key: 'state', header: t`Status`, phone: 'main', cell: ({ state }) => <VersionPill state={state} /> },
    {
      key: 'published_at',
      header: t`Published`,
      phone: 'note',
      cell: ({ published_at }) => <DateText iso={published_at} time />,
    },
    {
      key: 'person',
      header: t`Published by`,
      wrap: true,
      cell: ({ person }) => <span translate="no">{person}</span>,
    },
    { key: 'admitted_by', header: t`Admitted by`, wrap: true, cell: (row) => row.admitted_by ?? <Nothing /> },
    {
      key: 'runs',
      header: t`Runs`,
      wrap: true,
      cell: ({ runs, admitted_by, decided_by }) =>
        runs === 'product' || admitted_by === null ? (
          <Nothing />
        ) : (
          <span>
            {runs === 'trusted' ? t`Trusted` : t`Isolated`}
            {decided_by !== admitted_by && (
              <span className="sub">{decided_by ?? t`Admitted before there was a choice`}</span>
            )}
          </span>
        ),
    },
  ]
  return (
    <Card title={t`Versions`} text={t`The last thirty that were published.`}>
      <Table
        label={t`Versions`}
        expected={3}
        columns={columns}
        rows={data?.versions}
        rowKey={({ build }) => build}
        empty={t`Nothing was published yet`}
        failure={data ? null : failureOf(error, refetch)}
      />
    </Card>
  )
}

function VersionPill({ state }: Pick<ModuleVersion, 'state'>) {
  const { t } = useLingui()
  if (state === 'live') return <StatusPill tone="good">{t`Live`}</StatusPill>
  if (state === 'tried') return <StatusPill tone="info">{t`Tried by some`}</StatusPill>
  if (state === 'beside') return <StatusPill tone="info">{t`Stands by`}</StatusPill>
  if (state === 'waiting') return <StatusPill tone="waiting">{t`Waiting for admission`}</StatusPill>
  if (state === 'revoked') return <StatusPill tone="bad">{t`Withdrawn`}</StatusPill>
  return <StatusPill tone="neutral">{t`Can go live`}</StatusPill>
}
