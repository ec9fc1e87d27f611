import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { imports, type RejectedGroup } from '@portal/contracts/imports'
import type { Column, Sheet } from '@portal/contracts/imports/sheet'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { cellProblem } from './reading/cell-problem.ts'
import type { CorrectedCell, Corrections } from './useCorrections.tsx'

type Props = {
  id: number
  group: RejectedGroup
  sheet: Sheet
  column: Column
  corrections: Corrections
}

/** The longest value by which rows can be asked for. */
const askedAtMost = 200

/** Offers to write the latest correction in all rows with the same value, and tells where that was done. */
export function ApplyBar({ id, group, sheet, column, corrections }: Props) {
  const latest = corrections.latest(group.column, group.reason)
  const before = latest?.before ?? ''
  const right = latest?.value && cellProblem(sheet, column, latest.value) === null
  const replaced = corrections.replaced(group.column)
  return (
    <>
      {replaced.map((made) => (
        <div key={made.old_value} className="fixbar" role="status">
          <span>
            <Trans>
              “{made.old_value}” becomes “{made.value}”
            </Trans>
            {': '}
            <Plural value={made.rows} one="# row" other="# rows" />
          </span>
          <Button small onClick={() => corrections.unreplace(made)}>
            <Trans>Undo</Trans>
          </Button>
        </div>
      ))}
      {latest && right && before && before.length <= askedAtMost && (
        <Offer id={id} group={group} latest={latest} before={before} corrections={corrections} />
      )}
    </>
  )
}

type OfferProps = Pick<Props, 'id' | 'group' | 'corrections'> & { latest: CorrectedCell; before: string }

function Offer({ id, group, latest, before, corrections }: OfferProps) {
  const { client } = useHost()
  const { column, reason } = group
  const query = { kind: 'rejected', column, reason, value: before, per_page: 1 } as const
  const { data } = useQuery(queryOf(client, imports.rows, { params: { id }, query }))
  const rows = data?.rows.total ?? 0
  const { value } = latest
  if (rows < 2) return null
  return (
    <div className="fixbar">
      <span>
        <Plural
          value={rows - 1}
          one={`# other row has “${before}” too.`}
          other={`# other rows have “${before}” too.`}
        />
      </span>
      <Button small onClick={() => corrections.replace({ column, old_value: before, value, rows })}>
        <Plural value={rows} one={`Write “${value}” in # row`} other={`Write “${value}” in all # rows`} />
      </Button>
    </div>
  )
}
