import { Trans, useLingui } from '@lingui/react/macro'
import { findingCategoryWords, findingCauseWords } from '@portal/contracts/transfers/statement-words'
import type { Finding } from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import type { Column } from '@portal/screens/DataTable'
import { DateText, Money, Nothing } from '@portal/ui/Money'

/** A line, its payment and what was decided about them. */
export function useFindingColumns(): Column<Finding>[] {
  const { t } = useLingui()
  const locale = currentLocale()
  const money = (amount: number | null) =>
    amount === null ? <Nothing /> : <Money amount={amount} currency={false} />
  return [
    {
      key: 'category',
      header: t`Category`,
      wrap: true,
      phone: 'main',
      cell: ({ category, cause, problem }) => (
        <span>
          {findingCategoryWords[category][locale]}
          {cause && <span className="sub more">{problem ?? findingCauseWords[cause][locale]}</span>}
        </span>
      ),
    },
    {
      key: 'reference',
      header: t`Reference`,
      phone: 'title',
      wrap: true,
      cell: ({ reference, transaction_id, number, name }) => (
        <span>
          <span className="mono">{reference ?? transaction_id ?? '—'}</span>
          <span className="sub more">{[name, number].filter(Boolean).join(' · ')}</span>
        </span>
      ),
    },
    {
      key: 'day',
      header: t`Day`,
      phone: 'note',
      cell: ({ day }) => (day ? <DateText iso={day} /> : <Nothing />),
    },
    {
      key: 'their_amount',
      header: t`Statement (XOF)`,
      align: 'right',
      sortable: true,
      cell: ({ their_amount, their_fee }) => (
        <span>
          {money(their_amount)}
          {their_fee !== null && (
            <span className="sub more nowrap">
              <Trans>fee {money(their_fee)}</Trans>
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'our_amount',
      header: t`Portal (XOF)`,
      align: 'right',
      sortable: true,
      cell: ({ our_amount }) => money(our_amount),
    },
    {
      key: 'reason',
      header: t`Resolution`,
      wrap: true,
      cell: ({ reason, resolved_by }) =>
        reason ? (
          <span>
            {reason}
            {resolved_by && (
              <span className="sub more">{`${resolved_by.first_name} ${resolved_by.last_name}`}</span>
            )}
          </span>
        ) : (
          <Nothing />
        ),
    },
  ]
}
