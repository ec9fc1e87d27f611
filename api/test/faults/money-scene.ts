import type { ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import pg from 'pg'
import type { Client } from '../client.ts'
import { type Account, type Portal, password, until } from '../portal.ts'
import type { Random } from '../random.ts'
import type { Agency } from '../transfers/agencies/agency.ts'
import type { mortalWorkers } from '../workers.ts'
import type { OwnServer } from './own-server.ts'

type Counters = { open: number; unexplained: number; success: number; status: string; stopped: boolean }

/** The round under test, its processes, and the approver who does what only a person may do. */
export class Scene {
  readonly random: Random
  readonly agency: Agency
  readonly server: OwnServer
  readonly #portal: Portal
  readonly #approver: Account
  readonly #mortals: ReturnType<typeof mortalWorkers>
  readonly #place: { cohort: number; round: number }
  #person: Client | null = null
  workers: ChildProcess[] = []
  /** Whether the agency is honest, reachable and has money. */
  honest = true
  /** Milliseconds between a kill and the next recorded payment. */
  readonly returns: number[] = []
  readonly counts = { kills: 0, restores: 0, failovers: 0, disks: 0, releases: 0 }

  constructor(parts: {
    random: Random
    agency: Agency
    server: OwnServer
    portal: Portal
    approver: Account
    mortals: ReturnType<typeof mortalWorkers>
    place: { cohort: number; round: number }
  }) {
    this.random = parts.random
    this.agency = parts.agency
    this.server = parts.server
    this.#portal = parts.portal
    this.#approver = parts.approver
    this.#mortals = parts.mortals
    this.#place = parts.place
  }

  note(text: string): void {
    appendFileSync(this.server.logFile, `--- ${new Date().toISOString()} ${text}\n`)
  }

  /** Restarts a worker that ends by itself because its database is down, like the supervisor of `npm start`. */
  startWorkers(count: number): void {
    for (let n = 0; n < count; n++) {
      const worker = this.#mortals.start()
      this.workers.push(worker)
      worker.once('exit', () => {
        const index = this.workers.indexOf(worker)
        if (index < 0) return
        this.workers.splice(index, 1)
        this.startWorkers(1)
      })
    }
  }

  endWorkers(count: number, signal: NodeJS.Signals): Promise<unknown> {
    return Promise.all(this.workers.splice(0, count).map((worker) => this.#mortals.end(worker, signal)))
  }

  /** One connection for one look, so that none stands in the way of a server that stops. */
  async look<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.server.appUrl })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async counters(): Promise<Counters> {
    const [row] = await this.look<Counters>(
      `select g.pending + g.sending + g.unknown as open, (select count(*)::int from transfer_payrolls p
           where p.payroll_group_id = g.id and p.status in ('pending', 'sending', 'unknown')
             and not exists (select from payment_exceptions e where e.payroll_id = p.id)) as unexplained, g.success, c.status, c.stopped_at is not null as stopped
       from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id where g.id = $1`,
      [this.#place.round],
    )
    if (!row) throw new Error('The round is not in the database.')
    return row
  }

  /** Waits until `count` more recipients, or all, are paid. Gives up after three seconds, since a round may be stopped. */
  async payMore(count: number): Promise<void> {
    const { success: before } = await this.counters()
    await until(async () => {
      const { success, open } = await this.counters()
      return success >= before + count || open === 0
    }, 3_000).catch(() => {})
  }

  /** Backs the database up, has more payments made, and waits until a worker has compared the marks since. */
  async payBeyondBackup(count: number): Promise<void> {
    await this.server.backUp()
    const before = await this.#comparisons()
    await this.payMore(count)
    // If everything is paid already, nothing is lost with the database. A hold needs a mark that is ahead of the backup.
    await until(async () => (await this.#comparisons()) > before, 60_000)
  }

  async #comparisons(): Promise<number> {
    const [mark] = await this.look<{ counter: number }>('select counter::int from sending_marks')
    if (!mark) throw new Error('The database has no mark.')
    return mark.counter
  }

  /** Measures the time from a kill to the next recorded payment. It counts only while the agency is honest. */
  async measureReturn(): Promise<void> {
    const killed = performance.now()
    this.counts.kills += 1
    const before = await until(() => this.counters().catch(() => null), 60_000)
    const outcome = await until(async () => {
      const now = await this.counters().catch(() => null)
      if (now && now.success > before.success) return 'paid'
      return now && (now.open === 0 || now.status !== 'approved' || now.stopped) && 'nothing to pay'
    }, 60_000).catch(() => 'nothing was paid' as const)
    const ms = performance.now() - killed
    this.note(`${outcome} ${Math.round(ms)} ms after a kill`)
    if (this.honest && outcome !== 'nothing to pay') this.returns.push(ms)
  }

  /** Does what a person would: retries halted cohorts, releases holds, and has unknown payments queried again. */
  async goOn(): Promise<void> {
    const address = `/admin/transfers/cohorts/${this.#place.cohort}`
    this.#person ??= await this.#signIn()
    const person = this.#person
    const { status, body } = await person.get(`${address}/progress`)
    if (status !== 200) this.#person = null
    else if (body?.status === 'error') await person.post(`${address}/approve`, { action: 'approved' })
    else if (body?.round?.unknown > 0 && body.round.pending === 0) {
      await person.post(`${address}/stop`, {})
      await person.post(`${address}/resume`, {})
    }
  }

  /** Waits for the hold, reads its differences, and releases it with the approver's password. */
  async releaseHold(): Promise<void> {
    const path = '/admin/transfers/sending-hold'
    const person = await this.#signIn()
    await until(async () => (await person.get(path)).body?.hold, 60_000)
    const releasable = async () => (await person.get(path)).body?.hold?.barred === null
    // If the agency's responses are unreadable, a person would call the agency first.
    await until(releasable, 30_000).catch(() => this.makeHonest())
    await until(releasable, 90_000)
    const found = await person.get(`${path}/differences`)
    const released = await person.post(`${path}/release`, {})
    if (found.status !== 200 || released.status !== 200)
      throw new Error(`The hold was not released: ${JSON.stringify([found.body, released.body])}`)
    this.counts.releases += 1
    this.note(`released, ${found.body.differences.total} differences`)
  }

  async isHeld(): Promise<boolean> {
    return (await this.look('select from sending_holds where released_at is null')).length > 0
  }

  async makeHonest(): Promise<void> {
    await this.agency.set({ hostile: [], float_amount: null, lost_reply_percent: 0, unreachable: false })
    this.honest = true
  }

  async cutConnections(): Promise<void> {
    await this.look(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()`,
    )
  }

  /** Signs in again each time, because her session may be lost with the database. */
  async #signIn() {
    const person = await until(() => this.#portal.visitor().catch(() => null), 30_000)
    await until(
      async () => (await person.post('/login', { email: this.#approver.email, password })).status === 200,
      30_000,
    )
    return person
  }
}
