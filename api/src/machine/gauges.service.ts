import { statfs } from 'node:fs/promises'
import { type PaymentStatus, paymentStatuses } from '@portal/contracts/transfers/cohorts'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import { countLetters } from '../home/outbox.service.ts'
import type { Context } from '../kit/process/context.ts'
import { measures } from '../kit/process/measures.ts'
import { openErasures } from '../privacy/approved-erasures.service.ts'

const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name: `portal_${name}`, help, labelNames, registers: [measures] })

const databaseUp = gauge(
  'database_up',
  'Whether the database answered this scrape; without it the figures below are missing',
)
const poolSize = gauge('database_connections', 'Connections of the process', ['pool', 'state'])
const diskFree = gauge('disk_free_bytes', 'Free bytes of the data folder')
const storeUp = gauge('object_store_up', 'Whether the bucket of the files answers, if there is one')
const queueAge = gauge('queue_oldest_seconds', 'Age of the oldest job that is due, by queue', ['queue'])
const queueDepth = gauge('queue_due_jobs', 'Jobs that are due, by queue', ['queue'])
const letters = gauge('letters', 'Letters that no mail server took, tried again or given up within a week', [
  'state',
])
const payments = gauge('payments', 'Payments of all rounds', ['agency', 'state'])
const imports = gauge('imports', 'Imports that have not ended, by state', ['state'])
const stalled = gauge('agency_not_progressing', 'Whether an agency with open payments settles none', [
  'agency',
])
const held = gauge('sending_held', 'Whether sending is held until a person releases it')
const auditLag = gauge('audit_unlinked_seconds', 'Age of the oldest audit entry that is not in the chain')
const ledgerAge = gauge(
  'ledger_check_age_seconds',
  'Age of the latest ledger check; without one, of the installation',
)
const ledgerDifferences = gauge('ledger_differences', 'Differences that the latest ledger check found')
const backupAge = gauge('backup_age_seconds', 'Age of the latest backup; without one, of the installation')
const erasureAge = gauge(
  'erasure_oldest_seconds',
  'Age of the oldest approval of an erasure that was not carried out',
)
const orphans = gauge('orphaned_files', 'Files that nothing refers to, of the last night', ['state'])

/** The pools of the process, by name. */
export type Pools = Record<string, Context['db']['pool']>

/** Reads the figures of now, as text for Prometheus. What cannot be read is left out, so that no old figure is shown. */
export async function readMeasures(context: Context, pools: Pools): Promise<string> {
  for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
    poolSize.set({ pool, state: 'open' }, totalCount)
    poolSize.set({ pool, state: 'idle' }, idleCount)
    poolSize.set({ pool, state: 'waited_for' }, waitingCount)
  }
  forgetDatabase()
  await Promise.all([readDisk(context), readStore(context), readDatabase(context)])
  return measures.metrics()
}

function forgetDatabase() {
  for (const each of [queueAge, queueDepth, letters, payments, imports, stalled, orphans]) each.reset()
  for (const each of [held, auditLag, ledgerAge, ledgerDifferences, backupAge, erasureAge]) each.remove()
}

async function readDisk({ settings }: Context) {
  const { bavail, bsize } = await statfs(settings.dataDir)
  diskFree.set(bavail * bsize)
}

async function readStore({ storage, log }: Context) {
  if (!storage.probe) return storeUp.remove()
  try {
    await storage.probe(2_000)
    storeUp.set(1)
  } catch (error) {
    storeUp.set(0)
    log.warn({ err: error }, 'the bucket of the files does not answer')
  }
}

async function readDatabase(context: Context) {
  try {
    const parts = [
      readQueues,
      readLetters,
      readPayments,
      readImports,
      readLine,
      readAuditLag,
      readLedger,
      readBackup,
      readErasures,
      readOrphans,
    ]
    await Promise.all(parts.map((read) => read(context)))
    databaseUp.set(1)
  } catch (error) {
    forgetDatabase()
    databaseUp.set(0)
    context.log.warn({ err: error }, 'the figures of the database could not be read')
  }
}

async function readQueues({ db }: Context) {
  const { rows } = await sql<{ name: string; due: number; age: number }>`
    select name, count(*) as due, extract(epoch from now() - min(start_after))::float as age
    from pgboss.job where state in ('created', 'retry') and start_after <= now() group by name`.execute(db)
  for (const { name: queue, due, age } of rows) {
    queueDepth.set({ queue }, due)
    queueAge.set({ queue }, age)
  }
}

async function readLetters({ db }: Context) {
  for (const [state, count] of Object.entries(await countLetters(db))) letters.set({ state }, count)
}

/** An open outcome counts where its attempt is, also after its cohort has moved to another agency. */
async function readPayments({ db }: Context) {
  const { rows } = await sql<Record<PaymentStatus, number> & { agency: string }>`
    select a.name as agency, sum(g.pending) as pending, sum(g.sending) as sending, sum(g.success) as success,
      sum(g.failed) as failed, sum(g.unknown) as unknown
    from (
      select c.transfer_agency_id as id, g.pending, g.sending, g.success, g.failed, g.unknown
      from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
      union all select agency_id, 0, sending, 0, 0, unknown from outcomes_elsewhere()
      union all select cohort_agency_id, 0, -sending, 0, 0, -unknown from outcomes_elsewhere()
    ) g join transfer_agencies a on a.id = g.id
    group by a.name`.execute(db)
  for (const { agency, ...counts } of rows)
    for (const state of paymentStatuses) payments.set({ agency, state }, counts[state])
}

async function readImports({ db }: Context) {
  const { rows } = await sql<{ state: string; open: number }>`
    select state, count(*) as open from imports where finished_at is null group by state`.execute(db)
  for (const { state, open } of rows) imports.set({ state }, open)
}

async function readLine({ db }: Context) {
  const { rows: agencies } = await sql<{ agency: string; stalled: boolean }>`
    select a.name as agency, bool_or(l.stalled_at is not null) as stalled
    from agency_leases l join transfer_agencies a on a.id = l.agency_id group by a.name`.execute(db)
  for (const each of agencies) stalled.set({ agency: each.agency }, Number(each.stalled))
  const { rows: holds } = await sql<{ held: boolean }>`
    select exists (select from sending_holds where released_at is null) as held`.execute(db)
  held.set(Number(holds[0]?.held ?? false))
}

async function readAuditLag({ db }: Context) {
  const { rows } = await sql<{ age: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float as age
    from audits where id > (select coalesce(max(audit_id), 0) from audit_links)`.execute(db)
  auditLag.set(rows[0]?.age ?? 0)
}

async function readLedger({ db }: Context) {
  const { rows } = await sql<{ age: number; differences: number }>`
    select extract(epoch from now() - coalesce(max(k.ended_at), (select created_at from installation), now()))::float as age,
      coalesce((select differences from ledger_checks order by ended_at desc, id desc limit 1), 0) as differences
    from ledger_checks k`.execute(db)
  ledgerAge.set(rows[0]?.age ?? 0)
  ledgerDifferences.set(rows[0]?.differences ?? 0)
}

async function readBackup({ db }: Context) {
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from now() - coalesce(max(ended_at), (select created_at from installation), now()))::float as age
    from backups`.execute(db)
  backupAge.set(rows[0]?.age ?? 0)
}

async function readErasures({ db }: Context) {
  erasureAge.set((await openErasures(db)).oldest)
}

async function readOrphans({ db }: Context) {
  const { rows } = await sql<{ deleted: number; left: number }>`
    select coalesce((counts->>'orphans')::int, 0) as deleted, coalesce((counts->>'orphans-left')::int, 0) as left
    from retention_runs where finished_at is not null order by day desc limit 1`.execute(db)
  orphans.set({ state: 'deleted' }, rows[0]?.deleted ?? 0)
  orphans.set({ state: 'left' }, rows[0]?.left ?? 0)
}
