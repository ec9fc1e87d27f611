import { Plural, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { type Agency, spokenProtocols } from '@portal/contracts/transfers/agencies'
import { agencySteps } from '@portal/contracts/transfers/steps/settings'
import { formatRate } from '@portal/i18n/format'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useCan, useHost, useSession } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import type { Fact } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { NextStep } from '../dialogs/NextStep.tsx'
import { SwitchDialog } from '../dialogs/SwitchDialog.tsx'
import { ActivePill, agencyType, countryName, fullName } from '../words.tsx'
import { ChangedTerms, DecideAgencyDialog, ProposedBy } from './DecideAgencyDialog.tsx'
import { detailLabel } from './DetailsFields.tsx'
import { declared } from './declared.ts'
import { ProposeAgencyDialog } from './ProposeAgencyDialog.tsx'
import { protocolName } from './protocol-name.ts'

const WithdrawDialog = lazy(() => import('../dialogs/WithdrawDialog.tsx'), 'WithdrawDialog')

type Props = { agency: Agency; onClose: () => void }
type Act = { agency: Agency; name: 'switch' | 'propose' | 'confirmed' | 'refused' | 'withdraw' }

/** An agency with its details; of secrets only that they are set. */
export function ViewAgencyDialog({ agency, onClose }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const { user } = useSession()
  const act = useDialog<Act>()
  if (act.item) return <AgencyAct {...act.item} onClose={onClose} />
  const { change } = agency
  const active = agency.status === 'active'
  const spoken = spokenProtocols.some((protocol) => protocol === agency.details.protocol)
  const plain = Object.entries(agency.details).filter(([key]) => !agency.secrets.includes(key))
  const details: Fact[] = [
    ...plain.map(([key, value]) => ({
      key: `details ${key}`,
      label: detailLabel(key),
      value:
        key === 'protocol'
          ? protocolName(String(value))
          : typeof value === 'object'
            ? JSON.stringify(value)
            : String(value),
    })),
    ...agency.secrets.map((key) => ({
      key: `secret ${key}`,
      label: detailLabel(key),
      value: t`Set, not shown`,
    })),
  ]
  return (
    <DetailsDialog
      title={t`Transfer agency`}
      onClose={onClose}
      facts={[
        { key: 'name', label: t`Name`, value: agency.name },
        { key: 'description', label: t`Description`, value: agency.description },
        { key: 'status', label: t`Status`, value: <ActivePill status={agency.status} /> },
        { key: 'type', label: t`Type`, value: agencyType(agency.type) },
        { key: 'country', label: t`Country`, value: countryName(agency.country) },
        { key: 'fees', label: t`Fees`, value: formatRate(agency.fees) },
        { key: 'endpoint', label: t`Endpoint`, value: <span className="mono">{agency.endpoint}</span> },
        ...details,
        ...declared(agency.declares),
        { key: 'user', label: t`Created by`, value: fullName(agency.user) },
        { key: 'created', label: t`Created on`, value: <DateText iso={agency.created_at} time /> },
      ]}
      actions={
        can('agencies.update') && (
          <>
            {change ? (
              <>
                {change.user_id === user.id && (
                  <Button
                    onClick={() => act.open({ agency, name: 'withdraw' })}
                  >{t`Withdraw the proposal`}</Button>
                )}
                <Button onClick={() => act.open({ agency, name: 'refused' })}>{t`Refuse`}</Button>
                <Button
                  variant="primary"
                  onClick={() => act.open({ agency, name: 'confirmed' })}
                >{t`Confirm the change`}</Button>
              </>
            ) : (
              <Button
                onClick={() => act.open({ agency, name: 'propose' })}
              >{t`Change address or account`}</Button>
            )}
            {(active || spoken) && (
              <Button
                variant={active ? 'danger' : 'primary'}
                onClick={() => act.open({ agency, name: 'switch' })}
              >
                {active ? t`Deactivate` : t`Activate`}
              </Button>
            )}
          </>
        )
      }
    >
      {change && (
        <>
          <ProposedBy change={change} />
          <ChangedTerms change={change} />
        </>
      )}
      {spoken && !active && (
        <p className="muted">
          <NextStep of={agencySteps} state={agency.status} />
        </p>
      )}
      {!spoken && (
        <p className="muted">{t`This portal has no connector for this protocol yet, so the agency cannot be used.`}</p>
      )}
      {agency.open_outcomes > 0 && (
        <p className="muted">
          <Plural
            value={agency.open_outcomes}
            one="# payment at this agency has an open outcome; its address and account cannot change before."
            other="# payments at this agency have open outcomes; its address and account cannot change before."
          />
        </p>
      )}
    </DetailsDialog>
  )
}

/** What is asked is about the agency as it was when the button was pressed, whatever is read meanwhile. */
function AgencyAct({ agency, name, onClose }: Act & Pick<Props, 'onClose'>) {
  const { change } = agency
  if (name === 'switch') return <SwitchAgencyDialog agency={agency} onClose={onClose} />
  if (name === 'propose' || !change) return <ProposeAgencyDialog agency={agency} onClose={onClose} />
  if (name === 'withdraw')
    return (
      <WithdrawDialog
        endpoint={transfers.withdrawAgencyChange}
        id={change.id}
        of={agency.name}
        refetches={[transfers.settings]}
        onClose={onClose}
      />
    )
  return <DecideAgencyDialog agency={agency} change={change} action={name} onClose={onClose} />
}

function SwitchAgencyDialog({ agency, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(transfers.updateAgency, {
    params: { id: agency.id },
    defaults: { status: agency.status === 'active' ? 'inactive' : 'active', version: agency.version },
    refetches: [transfers.settings],
    onDone: onClose,
  })
  const stored = useStoredRow(form, agency, async () =>
    (await client.call(transfers.settings, {})).agencies.find(({ id }) => id === agency.id),
  )
  return (
    <SwitchDialog
      of={stored}
      from={agency.status}
      form={form}
      onClose={onClose}
      consequence={{
        deactivated: t`Nothing more is uploaded or approved for this agency until it is active again. Payments that were sent are still settled.`,
        activated: t`Cohorts can be uploaded and approved for this agency again.`,
      }}
    />
  )
}
