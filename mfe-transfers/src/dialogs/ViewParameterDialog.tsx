import { Plural, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Parameter } from '@portal/contracts/transfers/agencies'
import { formatRate } from '@portal/i18n/format'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { useDialog } from '@portal/screens/useDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useCan, useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText, Money } from '@portal/ui/Money'
import { ActivePill, fullName } from '../words.tsx'
import { SwitchDialog } from './SwitchDialog.tsx'
import './words.ts'

type Props = { parameter: Parameter; onClose: () => void }

/** A transfer parameter as it was made; it can be taken out of use and back. */
export function ViewParameterDialog({ parameter, onClose }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const switching = useDialog<Parameter>()
  if (switching.item) return <SwitchParameterDialog parameter={switching.item} onClose={onClose} />
  const active = parameter.status === 'active'
  return (
    <DetailsDialog
      title={t`Transfer parameter`}
      onClose={onClose}
      facts={[
        { key: 'name', label: t`Name`, value: parameter.name },
        { key: 'description', label: t`Description`, value: parameter.description },
        { key: 'status', label: t`Status`, value: <ActivePill status={parameter.status} /> },
        {
          key: 'amount',
          label: t`Amount`,
          value: <Money amount={parameter.amount} />,
        },
        { key: 'commission', label: t`Commission`, value: formatRate(parameter.commission) },
        {
          key: 'frequency',
          label: t`Frequency`,
          value: <Plural value={parameter.frequency} one="# time a month" other="# times a month" />,
        },
        { key: 'user', label: t`Created by`, value: fullName(parameter.user) },
        { key: 'created', label: t`Created on`, value: <DateText iso={parameter.created_at} time /> },
      ]}
      actions={
        can('parameters.create') && (
          <Button variant={active ? 'danger' : 'primary'} onClick={() => switching.open(parameter)}>
            {active ? t`Deactivate` : t`Activate`}
          </Button>
        )
      }
    />
  )
}

function SwitchParameterDialog({ parameter, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(transfers.updateParameter, {
    params: { id: parameter.id },
    defaults: { status: parameter.status === 'active' ? 'inactive' : 'active', version: parameter.version },
    refetches: [transfers.parameters, transfers.settings],
    onDone: onClose,
  })
  // A parameter keeps its name for good.
  const query = { search: parameter.name, per_page: 100 }
  const stored = useStoredRow(form, parameter, async () =>
    (await client.call(transfers.parameters, { query })).parameters.data.find(
      ({ id }) => id === parameter.id,
    ),
  )
  return (
    <SwitchDialog
      of={stored}
      from={parameter.status}
      form={form}
      onClose={onClose}
      consequence={{
        deactivated: t`New cohorts cannot use it, and cohorts that use it cannot be approved until it is active again.`,
        activated: t`Cohorts can be uploaded and approved with it again.`,
      }}
    />
  )
}
