import { useLingui } from '@lingui/react/macro'
import type { Agency } from '@portal/contracts/transfers/agencies'
import { StatusPill } from '@portal/ui/StatusPill'
import { ActivePill, agencyType, countryName, fullName } from '../words.tsx'
import { ListCard, type Settings } from './ListCard.tsx'

type Props = { settings: Settings; onOpen: (agency: Agency) => void; onCreate: () => void }

/** Every agency there is. */
export function AgenciesCard({ settings, onOpen, onCreate }: Props) {
  const { t } = useLingui()
  return (
    <ListCard
      title={t`Transfer agencies`}
      settings={settings}
      rows={settings.data?.agencies}
      expected={3}
      open={{ header: t`Name`, label: t`See Details`, onOpen }}
      create={{ permission: 'agencies.create', icon: 'plus', label: t`Create agency`, onCreate }}
      columns={[
        { key: 'type', header: t`Type`, phone: 'note', cell: (agency) => agencyType(agency.type) },
        { key: 'country', header: t`Country`, phone: 'main', cell: (agency) => countryName(agency.country) },
        { key: 'user', header: t`Creator`, cell: (agency) => fullName(agency.user) },
        {
          key: 'status',
          header: t`Status`,
          phone: 'note',
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
    />
  )
}
