import { useLingui } from '@lingui/react/macro'
import { findingCategoryWords } from '@portal/contracts/statement-words'
import { findingCategories, type OpenedStatement } from '@portal/contracts/statements'
import { currentLocale } from '@portal/i18n/locale'
import { BarChart } from '@portal/ui/BarChart'
import { Card } from '@portal/ui/Card'
import { Count, Money } from '@portal/ui/Money'

/** The sums of each category to the franc, drawn and written. */
export function StatementTotals({ statement }: { statement: OpenedStatement }) {
  const { t } = useLingui()
  const totals = new Map(statement.totals.map((total) => [total.category, total]))
  const bars = findingCategories.map((category) => {
    const total = totals.get(category)
    const amount = (category === 'ours' ? total?.our_amount : total?.their_amount) ?? 0
    return {
      key: category,
      label: (
        <>
          {findingCategoryWords[category][currentLocale()]} (<Count value={total?.count ?? 0} />)
        </>
      ),
      value: amount,
      shown: <Money amount={amount} />,
    }
  })
  return (
    <Card title={t`Totals by category`} padded>
      <BarChart label={t`Totals by category`} bars={bars} />
    </Card>
  )
}
