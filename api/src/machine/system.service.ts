import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { SystemStatus } from '@portal/contracts/home/system'
import { sql } from 'kysely'
import { countLetters } from '../home/outbox.service.ts'
import type { Context } from '../kit/process/context.ts'
import { openErasures } from '../privacy/approved-erasures.service.ts'

/** A check of every night is missing once the latest one is older. The alert PortalLedgerUnverified has the same limit. */
const ledgerHours = 36
/** The same for a backup; the alert is PortalBackupMissing. */
const backupHours = 26

/** How long the page waits for the stores of files and of modules, in ms. */
const storeMs = 2_000

/** How the portal is: versions, queues, agencies, files and the latest failures of jobs. */
export async function readSystem(context: Context): Promise<SystemStatus> {
  const [versions, queues, letters, agencies, files, ledger, backup, erasures, rest, errors] =
    await Promise.all([
      readVersions(context),
      readQueues(context),
      countLetters(context.db),
      readAgencies(context),
      readFiles(context),
      readLedger(context),
      readBackup(context),
      openErasures(context.db),
      readRest(context),
      readErrors(context),
    ])
  const { open, overdue } = erasures
  return {
    versions,
    queues,
    letters,
    agencies,
    files,
    ledger,
    backup,
    erasures: { open, overdue },
    ...rest,
    errors,
  }
}

async function readVersions({ db, registry, log }: Context) {
  const { rows } = await sql<{ database: string; migration: string }>`
    select current_setting('server_version') as database, coalesce(max(name), '') as migration from migrations`.execute(
    db,
  )
  const live = await Promise.race([registry.now(), wait(storeMs, null, { ref: false })]).catch(
    (error: Error) => {
      log.warn({ err: error }, 'the store of the modules does not answer')
      return null
    },
  )
  return {
    node: process.versions.node,
    database: rows[0]?.database.split(' ')[0] ?? '',
    migration: rows[0]?.migration.split(' ')[0] ?? '',
    modules: live?.generation ?? null,
    released_at: live?.at ?? null,
  }
}

async function readQueues({ db }: Context) {
  const { rows } = await sql<SystemStatus['queues'][number]>`
    select q.name, count(*) filter (where j.due) as due,
      floor(extract(epoch from now() - min(j.start_after) filter (where j.due)))::int as oldest,
      count(*) filter (where j.state = 'failed' and j.completed_on > now() - interval '1 day') as failed
    from pgboss.queue q left join (
      select name, state, start_after, completed_on, state in ('created', 'retry') and start_after <= now() as due from pgboss.job
    ) j on j.name = q.name
    where q.name not like '\\_\\_%' group by q.name order by q.name`.execute(db)
  return rows
}

async function readAgencies({ db }: Context) {
  const { rows } = await sql<SystemStatus['agencies'][number]>`
    select a.id, a.name, coalesce(g.open, 0)::int as open, coalesce(g.unknown, 0)::int as unknown,
      coalesce(l.stalled_at is not null, false) as stalled
    from transfer_agencies a left join agency_leases l on l.agency_id = a.id left join (
      select id, sum(open) as open, sum(unknown) as unknown from (
        select c.transfer_agency_id as id, g.pending + g.sending as open, g.unknown
        from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
        union all select agency_id, sending, unknown from outcomes_elsewhere()
        union all select cohort_agency_id, -sending, -unknown from outcomes_elsewhere()) each group by 1
    ) g on g.id = a.id
    where a.status = 'active' order by a.name`.execute(db)
  return rows
}

async function readFiles({ settings, storage, log }: Context) {
  const { bavail, bsize } = await statfs(settings.dataDir)
  const free = bavail * bsize
  const reached = await (storage.probe?.(storeMs) ?? Promise.resolve()).then(
    () => true,
    (error: Error) => {
      log.warn({ err: error }, 'the bucket of the files does not answer')
      return false
    },
  )
  const place: 'disk' | 's3' = storage.probe ? 's3' : 'disk'
  return { place, reached, free, enough: free >= settings.machine.diskMinMb * 1024 ** 2 }
}

async function readLedger({ db }: Context) {
  const { rows } = await sql<NonNullable<SystemStatus['ledger']>>`
    select ended_at as at, ended_at < now() - make_interval(hours => ${ledgerHours}) as late, lists, payments, events,
      agencies, differences
    from ledger_checks order by ended_at desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

async function readBackup({ db }: Context) {
  const { rows } = await sql<NonNullable<SystemStatus['backup']>>`
    select ended_at as at, ended_at < now() - make_interval(hours => ${backupHours}) as late, bytes, maker
    from backups order by ended_at desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

async function readRest({ db }: Context) {
  const { rows } = await sql<{ held: boolean; audit_waits: number }>`
    select exists (select from sending_holds where released_at is null) as held,
      (select coalesce(floor(extract(epoch from now() - min(created_at))), 0)::int from audits
        where id > (select coalesce(max(audit_id), 0) from audit_links)) as audit_waits`.execute(db)
  return rows[0] ?? { held: true, audit_waits: 0 }
}

/** The first line only, because the rest of an error is for the log, and may have values of a row. */
async function readErrors({ db }: Context) {
  const { rows } = await sql<{ queue: string; at: string; message: string }>`
    select name as queue, coalesce(completed_on, started_on, created_on) as at,
      left(split_part(coalesce(output->>'message', ''), E'\\n', 1), 200) as message
    from pgboss.job where state in ('failed', 'retry') and output is not null
    order by coalesce(completed_on, started_on, created_on) desc limit 5`.execute(db)
  return rows
}
