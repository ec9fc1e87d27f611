import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { ApprovalLimit } from './approval/ApprovalLimit.tsx'
import { useApprovalLimit } from './approval/useApprovalLimit.tsx'
import { ProposedMoveCard } from './moving/ProposedMoveCard.tsx'

function Limit() {
  return <ApprovalLimit read={useApprovalLimit(7)} />
}

test.each([
  ['the move of a cohort', <ProposedMoveCard key="move" cohort={{ id: 7 } as CohortSummary} />],
  ['her limit of approval', <Limit key="limit" />],
])('an approver reads that %s could not be read, and tries again', async (_, piece) => {
  let broken = true
  const { box, end } = await drawInShell(piece, () =>
    broken
      ? { status: 500, body: { message: 'Boom' } }
      : { body: { proposal: null, limit: 5_000, needed: 4_000, barred: null } },
  )
  await eventually(() => expect(box.textContent).toContain('Server Error: Boom'))
  broken = false
  await click(named('Try again', box))
  await eventually(() => expect(box.textContent).not.toContain('Boom'))
  await end()
})
