import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { HomeStatistics } from '@portal/contracts/home'
import { formatPercent } from '@portal/i18n/format'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { Count, Money } from '@portal/ui/Money'
import { Scroll } from '@portal/ui/Scroll'
import { useState } from 'react'

/** The number of rows that the chart draws before it folds the rest. */
const fold = 15

type Row = HomeStatistics['disbursementByCap'][number]

/** Disbursement by CAP with its totals; the bars are its chart: same row, same figures. */
export function CapTable({ rows }: { rows: readonly Row[] | undefined }) {
  const { t } = useLingui()
  const [all, setAll] = useState(false)
  if (rows?.length === 0) return <Blank title={t`No data available`} />
  const sorted = rows && [...rows].sort((a, b) => b.total_disbursed - a.total_disbursed)
  const total = sum(rows, (row) => row.total_disbursed)
  const schools = sum(rows, (row) => row.schools)
  const largest = sorted?.[0]?.total_disbursed ?? 0
  const count = sorted?.length ?? 0
  return (
    <>
      <Scroll label={t`Disbursement by CAP`}>
        <table className="cards tight" aria-label={t`Disbursement by CAP`}>
          <thead>
            <tr>
              <th>
                <Trans>CAP</Trans>
              </th>
              <th className="num">
                <Trans>Schools</Trans>
              </th>
              <th className="num" aria-sort="descending">
                <span className="sort">
                  <span>
                    <Trans>
                      Total amount transferred <span className="cur">CFA</span>
                    </Trans>
                  </span>
                  <Icon name="sort" size={14} />
                </span>
              </th>
              <th className="share-cell cap-share">
                <Trans>Share of the total</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted ? (
              (all ? sorted : sorted.slice(0, fold)).map((row) => (
                <CapRow key={row.id} row={row} total={total} largest={largest} />
              ))
            ) : (
              <Loading />
            )}
          </tbody>
          {rows && (
            <tfoot>
              <tr>
                <td className="card-title">
                  <Trans>Total</Trans>
                </td>
                <td className="num card-note" data-label={schoolsLabel(schools)}>
                  <Count value={schools} />
                </td>
                <td className="num card-main" data-label={t`Amount (CFA)`}>
                  <Money amount={total} currency={false} />
                </td>
                <td className="share-cell" data-label={t`Share of the total`}>
                  <Share of={0} largest={1} part={total > 0 ? 1 : 0} />
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </Scroll>
      {count > fold && (
        <div className="card-foot">
          <Button small aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? <Trans>Show fewer</Trans> : <Trans>Show all {count} CAPs</Trans>}
          </Button>
        </div>
      )}
    </>
  )
}

/** On a phone it stands behind the number. */
const schoolsLabel = (schools: number) => plural(schools, { one: 'School', other: 'Schools' })

function CapRow({ row, total, largest }: { row: Row; total: number; largest: number }) {
  const { t } = useLingui()
  const { schools } = row
  return (
    <tr>
      <td className="card-title">{row.admin_district_as_cap}</td>
      <td className="num card-note" data-label={schoolsLabel(schools)}>
        <Count value={schools} />
      </td>
      <td className="num card-main" data-label={t`Amount (CFA)`}>
        <Money amount={row.total_disbursed} currency={false} />
      </td>
      <td className="share-cell" data-label={t`Share of the total`}>
        <Share of={row.total_disbursed} largest={largest} part={total ? row.total_disbursed / total : 0} />
      </td>
    </tr>
  )
}

function Share({ of, largest, part }: { of: number; largest: number; part: number }) {
  const { i18n } = useLingui()
  return (
    <span className="share" lang={i18n.locale}>
      <span className="track">
        {of > 0 && <span className="fill" style={{ width: `${(100 * of) / largest}%` }} />}
      </span>
      <span className="pc">{formatPercent(part, 1)}</span>
    </span>
  )
}

function Loading() {
  return [62, 54, 70, 48, 58, 66].map((width) => (
    <tr key={width}>
      {['name', 'schools', 'amount', 'share'].map((cell) => (
        <td key={cell}>
          <Skeleton width={`${width}%`} />
        </td>
      ))}
    </tr>
  ))
}

const sum = (rows: readonly Row[] = [], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0)
