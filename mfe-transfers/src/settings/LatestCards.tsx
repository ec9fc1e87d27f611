import { useLingui } from '@lingui/react/macro'
import type { Parameter } from '@portal/contracts/transfers/agencies'
import type { Cohort } from '@portal/contracts/transfers/cohorts'
import { Count, DateText, Money } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { ActivePill, CohortPill, fullName } from '../words.tsx'
import { ListCard, type Settings } from './ListCard.tsx'

type Props<Item> = { settings: Settings; onOpen: (item: Item) => void; onCreate: () => void }

/** The last three parameters. */
export function LatestParameters({ settings, onOpen, onCreate }: Props<Parameter>) {
  const { t } = useLingui()
  return (
    <ListCard
      title={t`Latest transfer parameters`}
      settings={settings}
      rows={settings.data?.parameters}
      expected={3}
      open={{ header: t`Name`, label: t`See Details`, onOpen }}
      create={{ permission: 'parameters.create', icon: 'plus', label: t`Create parameter`, onCreate }}
      foot={<Link to={paths.parameters}>{t`See all transfer parameters`}</Link>}
      columns={[
        {
          key: 'created_at',
          header: t`Date`,
          phone: 'note',
          cell: (parameter) => <DateText iso={parameter.created_at} />,
        },
        {
          key: 'amount',
          header: t`Amount`,
          align: 'right',
          phone: 'main',
          cell: (parameter) => <Money amount={parameter.amount} />,
        },
        { key: 'user', header: t`Creator`, cell: (parameter) => fullName(parameter.user) },
        {
          key: 'status',
          header: t`Status`,
          phone: 'note',
          cell: (parameter) => <ActivePill status={parameter.status} />,
        },
      ]}
    />
  )
}

/** The last two cohorts. */
export function LatestCohorts({ settings, onOpen, onCreate }: Props<Cohort>) {
  const { t } = useLingui()
  return (
    <ListCard
      title={t`Latest cohorts`}
      settings={settings}
      rows={settings.data?.cohorts}
      expected={2}
      open={{ header: t`Title`, label: t`Preview Cohort Summary`, onOpen }}
      create={{ permission: 'cohorts.create', icon: 'upload', label: t`Upload cohort`, onCreate }}
      foot={<Link to={paths.cohorts}>{t`See all cohorts`}</Link>}
      columns={[
        {
          key: 'created_at',
          header: t`Date`,
          cell: (cohort) => <DateText iso={cohort.created_at} />,
        },
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
          phone: 'note',
          cell: (cohort) => (
            <CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />
          ),
        },
      ]}
    />
  )
}
