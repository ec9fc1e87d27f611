import { Trans, useLingui } from '@lingui/react/macro'
import type { Parameter } from '@portal/contracts/agencies'
import type { Cohort } from '@portal/contracts/cohorts'
import { failureOf } from '@portal/screens/problemText'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Count, DateText, Money } from '@portal/ui/Money'
import { Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { ActivePill, CohortPill, fullName } from '../words.tsx'
import type { Settings } from './AgenciesCard.tsx'

type Props<Item> = { settings: Settings; onOpen: (item: Item) => void; onCreate: () => void }

/** The last three parameters. */
export function LatestParameters({ settings, onOpen, onCreate }: Props<Parameter>) {
  const { t } = useLingui()
  const can = useCan()
  const create = can('parameters.create') && (
    <Button small icon="plus" onClick={onCreate}>
      {t`Create parameter`}
    </Button>
  )
  return (
    <Card
      title={t`Latest transfer parameters`}
      actions={create}
      foot={<Link to={paths.parameters}>{t`See all transfer parameters`}</Link>}
    >
      <Table
        label={t`Latest transfer parameters`}
        rows={settings.data?.parameters}
        rowKey={(parameter) => parameter.id}
        expected={3}
        failure={settings.data ? null : failureOf(settings.error, settings.refetch)}
        empty={{ title: t`No data available`, action: create || undefined }}
        columns={[
          {
            key: 'name',
            header: t`Name`,
            wrap: true,
            cell: (parameter) => (
              <button type="button" className="link-button" onClick={() => onOpen(parameter)}>
                {parameter.name}
              </button>
            ),
          },
          {
            key: 'created_at',
            header: t`Date`,
            cell: (parameter) => <DateText iso={parameter.created_at} />,
          },
          {
            key: 'amount',
            header: t`Amount`,
            align: 'right',
            cell: (parameter) => <Money amount={parameter.amount} currency={parameter.currency} />,
          },
          { key: 'user', header: t`Creator`, cell: (parameter) => fullName(parameter.user) },
          {
            key: 'status',
            header: t`Status`,
            phone: 'status',
            cell: (parameter) => <ActivePill status={parameter.status} />,
          },
        ]}
        rowName={(parameter) => parameter.name}
        rowActions={(parameter) => [
          { label: t`See Details`, icon: 'eye', onSelect: () => onOpen(parameter) },
        ]}
      />
    </Card>
  )
}

/** The last two cohorts. */
export function LatestCohorts({ settings, onOpen, onCreate }: Props<Cohort>) {
  const { t } = useLingui()
  const can = useCan()
  const create = can('cohorts.create') && (
    <Button small icon="upload" onClick={onCreate}>
      <Trans>Upload cohort</Trans>
    </Button>
  )
  return (
    <Card
      title={t`Latest cohorts`}
      actions={create}
      foot={<Link to={paths.cohorts}>{t`See all cohorts`}</Link>}
    >
      <Table
        label={t`Latest cohorts`}
        rows={settings.data?.cohorts}
        rowKey={(cohort) => cohort.id}
        expected={2}
        failure={settings.data ? null : failureOf(settings.error, settings.refetch)}
        empty={{ title: t`No data available`, action: create || undefined }}
        columns={[
          {
            key: 'name',
            header: t`Title`,
            wrap: true,
            cell: (cohort) => (
              <button type="button" className="link-button" onClick={() => onOpen(cohort)}>
                {cohort.name}
              </button>
            ),
          },
          { key: 'created_at', header: t`Date`, cell: (cohort) => <DateText iso={cohort.created_at} /> },
          {
            key: 'master_list_count',
            header: t`Recipients`,
            align: 'right',
            cell: (cohort) => <Count value={cohort.master_list_count} />,
          },
          { key: 'user', header: t`Creator`, cell: (cohort) => fullName(cohort.user) },
          {
            key: 'status',
            header: t`Status`,
            phone: 'status',
            cell: (cohort) => <CohortPill status={cohort.status} stopped={cohort.stopped} />,
          },
        ]}
        rowName={(cohort) => cohort.name}
        rowActions={(cohort) => [
          { label: t`Preview Cohort Summary`, icon: 'eye', onSelect: () => onOpen(cohort) },
        ]}
      />
    </Card>
  )
}
