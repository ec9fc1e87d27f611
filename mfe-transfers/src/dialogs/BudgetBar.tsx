import { useLingui } from '@lingui/react/macro'
import { moneyText } from '@portal/i18n/format'
import { Bar } from '@portal/ui/Progress'
import './words.ts'

type Props = {
  budget: { year: number; amount: number | null; spent: number; reserved: number }
  /** What an approval would reserve besides. */
  needed?: number
}

/** What of a budget is spent, reserved and needed, drawn; screen readers get it in words. */
export function BudgetBar({ budget: { year, amount, spent, reserved }, needed = 0 }: Props) {
  const { t } = useLingui()
  if (amount === null) return null
  const used = spent + reserved + needed
  const [all, part] = [moneyText(amount), moneyText(used)]
  return (
    <Bar
      thin
      label={t`Budget of ${year}: ${part} of ${all} are used`}
      total={Math.max(amount, used)}
      parts={[
        { key: 'spent', label: t`Spent`, count: spent, tone: 'good' },
        { key: 'reserved', label: t`Reserved`, count: reserved, tone: 'waiting' },
        { key: 'needed', label: t`This approval`, count: needed, tone: used > amount ? 'bad' : 'accent' },
      ]}
    />
  )
}
