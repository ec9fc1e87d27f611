import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModuleVersion, modules } from '@portal/contracts/modules'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { DateText, Nothing } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'

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
          <span>{version}</span>
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
      cell: ({ person, runs }) =>
        runs === 'product' ? t`with the portal` : <span translate="no">{person}</span>,
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
