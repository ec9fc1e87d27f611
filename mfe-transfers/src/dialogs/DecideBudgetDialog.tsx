import { Trans, useLingui } from '@lingui/react/macro'
import { type ParameterBudget, parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { formatDateTime, moneyText } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { fullName } from '../words.tsx'
import './words.ts'

type Props = { budget: ParameterBudget; action: 'confirmed' | 'refused'; onClose: () => void }

/** The second person's decision on a budget. */
export function DecideBudgetDialog({ budget, action, onClose }: Props) {
  const { t } = useLingui()
  const { parameter, year, amount, spent, reserved, proposed } = budget
  const confirms = action === 'confirmed'
  const form = useEndpointForm(parameterBudgets.decide, {
    params: { id: proposed?.id ?? 0 },
    defaults: { action },
    refetches: [parameterBudgets.list, parameterBudgets.ofCohort],
    onDone: onClose,
  })
  const barred = confirms ? proposed?.barred : null
  const next = proposed?.amount ?? 0
  const [who, when] = [proposed && fullName(proposed.user), proposed && formatDateTime(proposed.created_at)]
  const over = moneyText(spent + reserved - next)
  return (
    <ConfirmDialog
      title={confirms ? t`Confirm this budget?` : t`Refuse this budget?`}
      description={`${parameter} · ${year}`}
      form={form}
      onClose={onClose}
      danger={!confirms}
      barred={barred}
      confirmLabel={confirms ? t`Confirm the budget` : t`Refuse the budget`}
    >
      <OneEyeNotice />
      <Notice tone="waiting" icon="shield" title={t`A budget waits for a second person.`}>
        <Trans>
          Proposed by {who} on {when} (UTC).
        </Trans>{' '}
        {proposed?.reason}
      </Notice>
      <Totals
        label={t`Budget`}
        rows={[
          {
            key: 'old',
            label: t`Budget so far`,
            value: amount === null ? t`Not limited` : <Money amount={amount} />,
          },
          { key: 'next', label: t`Proposed budget`, value: <Money amount={next} />, sum: true },
          { key: 'spent', label: t`Spent`, value: <Money amount={spent} /> },
          { key: 'reserved', label: t`Reserved`, value: <Money amount={reserved} /> },
        ]}
      />
      {confirms && spent + reserved > next && (
        <p>
          <Trans>
            {over} more than this are spent and reserved already. Approved rounds are still paid; nothing more
            can be approved for {year}.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}
