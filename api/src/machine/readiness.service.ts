import { statfs, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Context } from '../kit/process/context.ts'
import type { Health } from '../kit/process/health.ts'

/** The result of one check. Only a failed check that is `required` takes the process out of service. */
export type Check = { ok: boolean; required: boolean } & Record<string, unknown>

/** What `GET /readyz` answers. */
export type Readiness = {
  status: 'ready' | 'not-ready' | 'starting' | 'draining'
  checks: Record<'database' | 'migrations' | 'storage' | 'disk' | 'agency_line', Check> & {
    object_store?: Check
  }
}

/**
 * Checks what the process needs, each on its own. The line to the agencies and the bucket of the files are not required:
 * a process without them still serves people, and another one would not have them either.
 */
export async function readReadiness(
  context: Context,
  health: Health,
  migrations: readonly string[],
): Promise<Readiness> {
  const [database, applied, storage, disk, line, store] = await Promise.all([
    checked(true, async () => {
      await sql`select 1`.execute(context.db)
      return { ok: true }
    }),
    checked(true, () => migrated(context, migrations)),
    checked(true, () => writable(context)),
    checked(true, () => roomy(context)),
    checked(false, () => lineOpen(context)),
    context.storage.probe && checked(false, () => answers(context)),
  ])
  const checks = {
    database,
    migrations: applied,
    storage,
    disk,
    agency_line: line,
    ...(store && { object_store: store }),
  }
  return { status: statusOf(checks, health), checks }
}

/**
 * The same without the database: what got no answer from it is not required. A process that has all migrations then goes
 * on serving the page that says so; out of service, people would see an error of the load balancer.
 */
export function withoutDatabase({ checks }: Readiness, health: Health): Readiness {
  const excused = { ...checks }
  for (const name of ['database', 'migrations'] as const)
    if ('fault' in checks[name]) excused[name] = { ...checks[name], required: false }
  return { status: statusOf(excused, health), checks: excused }
}

function statusOf(checks: Readiness['checks'], { draining, starting }: Health): Readiness['status'] {
  if (draining) return 'draining'
  if (Object.values(checks).some(({ ok, required }) => required && !ok)) return 'not-ready'
  return starting ? 'starting' : 'ready'
}

async function checked(required: boolean, check: () => Promise<{ ok: boolean }>): Promise<Check> {
  try {
    return { required, ...(await check()) }
  } catch (error) {
    // The code only, because a message may have addresses and names.
    return { ok: false, required, fault: (error as NodeJS.ErrnoException).code ?? 'no answer' }
  }
}

async function migrated({ db }: Context, names: readonly string[]) {
  const { rows } = await sql<{ done: number }>`
    select count(*) as done from migrations where name = any(${names as string[]})`.execute(db)
  const missing = names.length - (rows[0]?.done ?? 0)
  return { ok: missing === 0, missing }
}

async function writable({ storage }: Context) {
  const path = await storage.temp()
  try {
    await writeFile(path, 'ready')
    return { ok: true }
  } finally {
    await storage.drop(path)
  }
}

/** A probe must answer before whoever asks gives up. */
const probeMs = 2_000

async function answers({ storage }: Context) {
  await storage.probe?.(probeMs)
  return { ok: true }
}

async function roomy({ settings }: Context) {
  const { bavail, bsize } = await statfs(settings.dataDir)
  const free_mb = Math.floor((bavail * bsize) / 1024 ** 2)
  return { ok: free_mb >= settings.machine.diskMinMb, free_mb }
}

async function lineOpen({ db }: Context) {
  const { rows } = await sql<{ held: boolean; stalled: number }>`
    select exists (select from sending_holds where released_at is null) as held,
      (select count(*) from agency_leases where stalled_at is not null) as stalled`.execute(db)
  const { held = true, stalled = 0 } = rows[0] ?? {}
  return { ok: !held && stalled === 0, held, stalled }
}
