import { setTimeout as pause } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import { agencyHttp } from '../api/src/transfers/connectors/http.ts'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, percent } from './figures.ts'
import { onStage, type Stage } from './stage.ts'

const aim = 0.85
const latencyMs = 20
const inFlight = 50
const ceiling = (1000 / latencyMs) * inFlight

/** The application's role may not change an agency's details; the owner of the database may. */
async function allowInFlight(ownerUrl: string) {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('update transfer_agencies set details = details || $1::jsonb', [
    JSON.stringify({ concurrency: inFlight }),
  ])
  await owner.end()
}

/** Payouts per second of one round by one worker, compared with concurrency ÷ latency of the agency. */
export function measurePayouts(scale: number): Promise<Figure[]> {
  const count = Math.round(10_000 * scale)
  return onStage(async (stage) => {
    const { db } = stage.context
    const { officer } = await addPeople(db, count, stage.agency.url)
    await allowInFlight(stage.ownerUrl)
    await stage.agency.set({ latency_ms: latencyMs })
    const stop = await stage.startWorker()
    // Warm-up. A worker runs for weeks, so the first second, in which code is compiled, is not measured.
    const warm = Math.min(1000, count)
    await timeRound(db.pool, (await addRound(db, officer, warm, 'Warm-up')).round)
    const ms = await timeRound(db.pool, (await addRound(db, officer, count, 'Bench')).round)
    await checkLedger(stage, count + warm)
    await stop()
    const rate = count / (ms / 1000)
    const bare = await callBare(stage, count)
    const what = `Payouts per second, ${count.toLocaleString('en-US')} entries, agency ${latencyMs} ms, ${inFlight} in flight`
    const figure = (suffix: string, against: number, measured: string): Figure => ({
      figure: `${what}${suffix}`,
      measured: `${percent(rate / against)} of ${measured}`,
      aim: `≥ ${percent(aim)}`,
      holds: rate / against >= aim,
      command: 'npm run bench -- payouts',
    })
    return [
      figure('', ceiling, `concurrency ÷ latency (${Math.round(rate)}/s of ${ceiling}/s)`),
      figure(
        ', against a caller without a database',
        bare,
        `what it reaches in the same run (${Math.round(bare)}/s; ${percent(bare / ceiling)} of concurrency ÷ latency)`,
      ),
    ]
  })
}

/** From the first payment claimed to the last one settled. */
async function timeRound(pool: Pool, round: number): Promise<number> {
  let began = 0
  for (;;) {
    const { rows } = await pool.query(
      'select total, pending, success from transfer_payroll_groups where id = $1',
      [round],
    )
    const { total, pending, success } = rows[0]
    if (!began && pending < total) began = performance.now()
    if (success === total) return performance.now() - began
    await pause(10)
  }
}

/** Checks in the agency's ledger that every entry was executed once. */
async function checkLedger({ agency }: Stage, count: number) {
  const ledger = await agency.ledger()
  const paid = ledger.filter((line) => line.executed === 1 && line.result === 'success')
  if (paid.length !== count || ledger.length !== count)
    throw new Error(
      `The agency's ledger has ${ledger.length} entries, ${paid.length} of them paid once, instead of ${count}`,
    )
}

/** Sends the same orders with the same client and no database. This is the limit of agency and machine. */
async function callBare({ agency }: Stage, count: number): Promise<number> {
  const http = agencyHttp({ connections: inFlight, timeout_ms: 30_000 })
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next++
      await http.call(`${agency.url}/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({
          reference: `bare-${n}`,
          phone: `+2237${String(n * 100 + 10).padStart(7, '0')}`,
          amount: 10_500,
          currency: 'XOF',
          name: 'Bare',
        }),
      })
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: inFlight }, one))
  const ms = performance.now() - began
  await http.close()
  return count / (ms / 1000)
}
