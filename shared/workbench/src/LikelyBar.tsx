import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { imports } from '@portal/contracts/imports'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { useEffect } from 'react'

type Props = { id: number; only: boolean; onToggle: (only: boolean) => void }

/** Says how many new rows may be somebody whom their school has already, in the register or the file, and shows only these. */
export function LikelyBar({ id, only, onToggle }: Props) {
  const { client } = useHost()
  const query = { kind: 'new', likely: '1', per_page: 1 } as const
  const { data } = useQuery(queryOf(client, imports.rows, { params: { id }, query }))
  const count = data?.rows.total
  // Once the last of them was decided, nobody looks for the way back to all rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the number itself ends the narrowing
  useEffect(() => {
    if (only && count === 0) onToggle(false)
  }, [only, count])
  if (!count) return null
  return (
    <div className="fixbar">
      <span>
        <Plural
          value={count}
          one="# new row is perhaps somebody whom this school has already, under another code."
          other="# new rows are perhaps somebody whom their school has already, under another code."
        />
      </span>
      <Button small aria-pressed={only} onClick={() => onToggle(!only)}>
        {only ? (
          <Trans>Show all new rows</Trans>
        ) : (
          <Plural value={count} one="Show it" other="Show only these" />
        )}
      </Button>
    </div>
  )
}
