import { Trans, useLingui } from '@lingui/react/macro'
import { type ParameterBudget, parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { currencyName } from '@portal/i18n/format'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { NumberField } from '@portal/ui/NumberField'
import { TextAreaField } from '@portal/ui/TextField'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import './words.ts'

type Props = { budget: ParameterBudget; onClose: () => void }

/** Proposes what may be paid with a parameter in a year. */
export function ProposeBudgetDialog({ budget, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(parameterBudgets.propose, {
    params: { id: budget.parameter_id },
    defaults: { year: budget.year, ...(budget.amount !== null && { amount: budget.amount }) },
    refetches: [parameterBudgets.list, parameterBudgets.ofCohort],
    onDone: onClose,
  })
  const { control } = form
  return (
    <FormDialog
      title={t`Propose a budget`}
      description={budget.parameter}
      form={form}
      onClose={onClose}
      submitLabel={t`Propose the budget`}
    >
      <OneEyeNotice />
      <Notice icon="shield" title={t`A budget by two people.`}>
        <Trans>It counts once an approver who did not propose it has confirmed it.</Trans>
      </Notice>
      <NumberField
        control={control}
        name="year"
        label={t`Year`}
        help={t`The calendar year in which the rounds are due.`}
        whole
        required
      />
      <NumberField
        control={control}
        name="amount"
        label={t`Budget`}
        help={t`Whole francs, amounts and fees of all rounds together.`}
        suffix={currencyName()}
        whole
        required
      />
      <TextAreaField control={control} name="reason" label={t`Reason`} required maxLength={500} />
    </FormDialog>
  )
}
