import { setTimeout as pause } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import { agencyHttp, always } from '../api/src/transfers/connectors/http.ts'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, percent } from './figures.ts'
import { onStage, type Stage } from './stage.ts'

const aim = 0.85
export const inFlight = 50
/** 20 ms finds the limit of the machine. 100 ms is about the fastest that an agency responds over the internet. */
const latencies = [
  { latencyMs: 20, entries: 10_000 },
  { latencyMs: 100, entries: 5_000 },
]

/** The application's role may not change an agency's details; the owner of the database may. */
export async function allowInFlight(ownerUrl: string) {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('update transfer_agencies set details = details || $1::jsonb', [
    JSON.stringify({ concurrency: inFlight }),
  ])
  await owner.end()
}

/** Payouts per second of one round by one worker, compared with concurrency ÷ latency of the agency. */
export function measurePayouts(scale: number): Promise<Figure[]> {
  return onStage(async (stage) => {
    const { db } = stage.context
    const { officer } = await addPeople(db, Math.round(10_000 * scale), stage.agency.url)
    await allowInFlight(stage.ownerUrl)
    const stop = await stage.startWorker()
    // Warm-up. A worker runs for weeks, so the first second, in which code is compiled, is not measured.
    const warm = Math.round(1000 * scale)
    await timeRound(db.pool, (await addRound(db, officer, warm, 'Warm-up')).round)
    const rounds: { latencyMs: number; count: number; rate: number }[] = []
    for (const { latencyMs, entries } of latencies) {
      const count = Math.round(entries * scale)
      await stage.agency.set({ latency_ms: latencyMs })
      const ms = await timeRound(db.pool, (await addRound(db, officer, count, `Bench ${latencyMs}`)).round)
      rounds.push({ latencyMs, count, rate: count / (ms / 1000) })
    }
    await checkLedger(
      stage,
      rounds.reduce((sum, { count }) => sum + count, warm),
    )
    await stop()
    const figures: Figure[] = []
    for (const { latencyMs, count, rate } of rounds) {
      await stage.agency.set({ latency_ms: latencyMs })
      figures.push(...compare(latencyMs, count, rate, await callBare(stage, latencyMs, count)))
    }
    return figures
  })
}

/** The rate against concurrency ÷ latency, and against a caller without a database. */
function compare(latencyMs: number, count: number, rate: number, bare: number): Figure[] {
  const ceiling = (1000 / latencyMs) * inFlight
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
export async function checkLedger({ agency }: Stage, count: number) {
  const ledger = await agency.ledger()
  const paid = ledger.filter((line) => line.executed === 1 && line.result === 'success')
  if (paid.length !== count || ledger.length !== count)
    throw new Error(
      `The agency's ledger has ${ledger.length} entries, ${paid.length} of them paid once, instead of ${count}`,
    )
}

/** Sends the same orders with the same client and no database. This is the limit of agency and machine. */
async function callBare({ agency }: Stage, latencyMs: number, count: number): Promise<number> {
  const http = agencyHttp({ connections: inFlight, timeout_ms: 30_000 })
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next++
      await http.call(`${agency.url}/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({
          reference: `bare-${latencyMs}-${n}`,
          phone: `+2237${String(n * 100 + 10).padStart(7, '0')}`,
          amount: 10_500,
          currency: 'XOF',
          name: 'Bare',
        }),
        mayLeave: always,
      })
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: inFlight }, one))
  const ms = performance.now() - began
  await http.close()
  return count / (ms / 1000)
}
