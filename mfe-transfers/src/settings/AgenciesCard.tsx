import { useLingui } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import type { Agency } from '@portal/contracts/agencies'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import { failureOf } from '@portal/screens/problemText'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { StatusPill } from '@portal/ui/StatusPill'
import { Table } from '@portal/ui/Table'
import { ActivePill, agencyType, countryName, fullName } from '../words.tsx'

/** The one answer behind the page, as its cards read it. */
export type Settings = {
  data: AnswerOf<typeof transfers.settings> | undefined
  error: Problem | null
  refetch: () => unknown
}

type Props = { settings: Settings; onOpen: (agency: Agency) => void; onCreate: () => void }

/** Every agency there is. */
export function AgenciesCard({ settings, onOpen, onCreate }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const create = can('agencies.create') && (
    <Button small icon="plus" onClick={onCreate}>
      {t`Create agency`}
    </Button>
  )
  return (
    <Card title={t`Transfer agencies`} actions={create}>
      <Table
        label={t`Transfer agencies`}
        rows={settings.data?.agencies}
        rowKey={(agency) => agency.id}
        expected={3}
        failure={settings.data ? null : failureOf(settings.error, settings.refetch)}
        empty={{ title: t`No data available`, action: create || undefined }}
        columns={[
          {
            key: 'name',
            header: t`Name`,
            wrap: true,
            cell: (agency) => (
              <button type="button" className="link-button" onClick={() => onOpen(agency)}>
                {agency.name}
              </button>
            ),
          },
          { key: 'type', header: t`Type`, cell: (agency) => agencyType(agency.type) },
          { key: 'country', header: t`Country`, cell: (agency) => countryName(agency.country) },
          { key: 'user', header: t`Creator`, cell: (agency) => fullName(agency.user) },
          {
            key: 'status',
            header: t`Status`,
            phone: 'status',
            cell: (agency) => (
              <>
                <ActivePill status={agency.status} />
                {agency.change && (
                  <>
                    {' '}
                    <StatusPill tone="waiting" icon="shield">
                      {t`Change proposed`}
                    </StatusPill>
                  </>
                )}
              </>
            ),
          },
        ]}
        rowName={(agency) => agency.name}
        rowActions={(agency) => [{ label: t`See Details`, icon: 'eye', onSelect: () => onOpen(agency) }]}
      />
    </Card>
  )
}
