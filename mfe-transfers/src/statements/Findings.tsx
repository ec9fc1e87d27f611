import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { findingCategoryWords, findingCauseWords } from '@portal/contracts/statement-words'
import {
  type Finding,
  type FindingCategory,
  findingCategories,
  type OpenedStatement,
  statements,
} from '@portal/contracts/statements'
import { currentLocale } from '@portal/i18n/locale'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import type { Wanted } from './ResolveDialog.tsx'

const ResolveDialog = lazy(() => import('./ResolveDialog.tsx'), 'ResolveDialog')

/** The lines of a statement and the payments without one, by category, and the resolution of differences. */
export function Findings({ statement }: { statement: OpenedStatement }) {
  const { t } = useLingui()
  const can = useCan()
  const resolving = useDialog<Wanted & { onDone?: () => void }>()
  const list = useList(statements.findings, 'findings', { params: { id: statement.id } })
  const category = findingCategories.find((each) => each === list.view.filter('category'))
  const mayResolve = statement.state === 'open' && can('statements.import')
  const counts = new Map(statement.totals.map(({ category: of, count }) => [of, count]))
  const total = statement.totals.find((each) => each.category === category)
  const left = total ? total.count - total.resolved : 0
  return (
    <>
      {category && (
        <div className="actions">
          <ExportButton
            endpoint={statements.export}
            body={{ statement_id: statement.id, category }}
            permission="payrolls.export"
          >
            <Trans>Export this category (Excel)</Trans>
          </ExportButton>
          {mayResolve && category !== 'matched' && left > 0 && (
            <Button onClick={() => resolving.open({ category, count: left })}>
              <Plural value={left} one="Resolve # open difference" other="Resolve all # open differences" />
            </Button>
          )}
        </div>
      )}
      <DataTable
        label={t`Lines and payments`}
        list={list}
        columns={useColumns()}
        rowName={({ reference, number }) => reference ?? number ?? ''}
        chosenActs={
          mayResolve
            ? [
                {
                  key: 'resolve',
                  permission: 'statements.import',
                  draw: (chosen, onDone) => (
                    <Button
                      small
                      onClick={() =>
                        resolving.open({ ids: chosen.map(({ id }) => id), count: chosen.length, onDone })
                      }
                    >
                      {t`Resolve the selection`}
                    </Button>
                  ),
                },
              ]
            : []
        }
        search={t`Reference, number or name`}
        filters={[
          {
            name: 'category',
            label: t`Category`,
            options: findingCategories.map((value: FindingCategory) => ({
              value,
              label: findingCategoryWords[value][currentLocale()],
              count: counts.get(value) ?? 0,
            })),
          },
          {
            name: 'resolved',
            as: 'select',
            label: t`Resolved`,
            all: t`Resolved and open`,
            options: [
              { value: 'false', label: t`Open` },
              { value: 'true', label: t`Resolved` },
            ],
          },
        ]}
        empty={t`Nothing is in this category`}
      />
      {resolving.item && (
        <ResolveDialog
          id={statement.id}
          wanted={resolving.item}
          onDone={() => resolving.item?.onDone?.()}
          onClose={resolving.close}
        />
      )}
    </>
  )
}

function useColumns(): Column<Finding>[] {
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
