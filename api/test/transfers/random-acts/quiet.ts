import { setTimeout as wait } from 'node:timers/promises'
import type { World } from './stage.ts'

/** What the machines are still at, and a mark that changes with everything that they record. */
async function look(world: World): Promise<{ busy: boolean; mark: string }> {
  const [found] = await world.rows(
    `select (select coalesce(max(id), 0) from money_events) as mark,
       exists (select from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id
         join transfer_agencies g on g.id = a.agency_id where p.status = 'sending' and a.state = 'sending' and g.protocol <> 'file') as sending,
       exists (select from imports where state in ('queued', 'reading', 'importing')) as importing,
       exists (select from agency_statements where state in ('queued', 'reading')) as reading`,
  )
  return { busy: found.sending || found.importing || found.reading, mark: String(found.mark) }
}

/** Waits until nothing is under way, or for so long: an agency may keep an order, and a payment in doubt is asked about for ever. */
export async function quiet(world: World, ms = 4_000): Promise<void> {
  const end = Date.now() + ms
  let before = await look(world)
  while (Date.now() < end) {
    // The worker looks once in a while, and tells nobody that it has nothing to do.
    await wait(120)
    const now = await look(world)
    if (!now.busy && now.mark === before.mark) return
    before = now
  }
}
