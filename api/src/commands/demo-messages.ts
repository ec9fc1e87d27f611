import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { chance } from '../demo/chance.ts'
import { type Delivery, makeDay, type ReportingSchool } from '../demo/message-day.ts'
import { demoSyncToken } from '../demo/sync-token.ts'
import type { Db } from '../kit/database/db.ts'
import { readSettings, type Settings, SettingsFault } from '../kit/process/settings.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

const usage =
  'Usage: npm run demo:messages [-- --date YYYY-MM-DD] [--schools 200] [--seed 1] [--url http://localhost:8080]'
const lanes = 4

/** Sends one day's reports of all schools to a running demo, as its devices and gateways would. */
async function run(settings: Settings) {
  if (!settings.demo)
    throw new SettingsFault('Only a demo is sent made-up reports: start it with PORTAL_DEMO=true.')
  const { date, schools, seed, url } = readArguments(settings)
  const reporting = await withDatabase(settings, 1, (db) => readSchools(db, schools))
  const deliveries = makeDay(reporting, date, new Date(), chance(seed))
  const totals = { accepted: 0, duplicates: 0, rejected: 0 }
  let next = 0
  const lane = async () => {
    for (let at = next++; at < deliveries.length; at = next++) {
      const answer = await deliver(url, demoSyncToken(settings.secret), deliveries[at] as Delivery)
      totals.accepted += answer.accepted
      totals.duplicates += answer.duplicates
      totals.rejected += answer.rejected.length
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const calls = Map.groupBy(deliveries, ({ by }) => by)
  const kinds = [...calls].map(([by, list]) => `${by} ${list.length}`).join(', ')
  console.log(`${reporting.length} schools reported for ${date} in ${deliveries.length} calls (${kinds}).`)
  console.log(
    `${totals.accepted} messages accepted, ${totals.duplicates} known already, ${totals.rejected} refused.`,
  )
}

function readArguments({ port, apiBase }: Settings) {
  const options = {
    date: { type: 'string' },
    schools: { type: 'string' },
    seed: { type: 'string' },
    url: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: process.argv.slice(2).filter((word) => word !== '--'), options })
  const { date = new Date().toISOString().slice(0, 10), schools = '100000' } = values
  const { seed = String(Date.now() % 2 ** 31), url = `http://127.0.0.1:${port}` } = values
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^\d{1,9}$/.test(schools) || !/^\d{1,10}$/.test(seed))
    throw new SettingsFault(usage)
  return { date, schools: Number(schools), seed: Number(seed), url: `${url.replace(/\/$/, '')}${apiBase}` }
}

async function readSchools(db: Db, count: number): Promise<ReportingSchool[]> {
  const { rows } = await sql<ReportingSchool>`
    select s.admin_code, (select count(*) from teachers t where t.school_id = s.id)::int as teachers,
      coalesce((select array_agg(k.name order by k.name) from classes k where k.school_id = s.id), '{}') as classes
    from schools s order by s.id limit ${count}`.execute(db)
  return rows
}

type Answer = { accepted: number; duplicates: number; rejected: unknown[] }

/** Makes one call. On 429 it waits as many seconds as the portal says and tries again, as a gateway would. */
async function deliver(url: string, token: string, { body }: Delivery): Promise<Answer> {
  for (;;) {
    const answer = await fetch(`${url}/sync/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => {
      throw new SettingsFault(`Nothing answers at ${url}: start the portal first, or name its --url.`)
    })
    if (answer.status === 202) return (await answer.json()) as Answer
    const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
    if (answer.status !== 429)
      throw new SettingsFault(`The portal answered ${answer.status}: ${message ?? ''}`)
    await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  }
}

await runCommand(() => run(readSettings(process.env)))
