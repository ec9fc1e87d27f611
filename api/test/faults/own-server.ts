import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres, startStandby } from '../../../scripts/postgres.mjs'
import { migrate } from '../../src/commands/migrate.ts'
import { until } from '../portal.ts'

/** A PostgreSQL server that may be killed, restored from a copy of its folder, and replaced by a standby. */
export type OwnServer = {
  ownerUrl: string
  appUrl: string
  /** On the same disk as the server: what `fill` fills. */
  dataDir: string
  /** Outside of that disk. */
  logFile: string
  /** Stops the server, copies its folder, starts it again. */
  backUp(): Promise<void>
  /** Stops the server and starts what was backed up in its place. */
  restore(): Promise<void>
  /** Hands the standby the log that was written since the backup; what is written after this it never gets. */
  ship(): void
  /** Kills the server; the standby, which is the backup and what was shipped to it, is promoted at its address. */
  failOver(): Promise<void>
  kill(): Promise<void>
  /** Starts the server unless it runs. */
  revive(): Promise<void>
  /** Leaves no room on the disk until `empty`; null where a disk of one's own cannot be mounted. */
  disk: { fill(): void; empty(): void } | null
  close(): Promise<void>
}

const plenty = '8g'

/** A disk of its own needs root; without it the faults of a full disk are left out. */
function mountDisk(folder: string): OwnServer['disk'] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const resize = (size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, folder])
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${plenty}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  return {
    fill() {
      // What is written between the two looks makes the first size too small.
      for (let tries = 1; ; tries++) {
        const used = execFileSync('df', ['-k', '--output=used', folder], { encoding: 'utf8' }).split('\n')[1]
        try {
          return void resize(`${Number(used) + 4 * tries}k`)
        } catch (error) {
          if (tries === 20) throw error
        }
      }
    },
    empty: () => void resize(plenty),
  }
}

export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-money-'))
  const place = join(folder, 'disk')
  mkdirSync(place)
  const disk = mountDisk(place)
  const backup = join(place, 'backup')
  const log = join(folder, 'postgres.log')
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
  let dir = join(place, 'server-1')
  let servers = 1
  const start = () => startPostgres({ dir, log, createDatabases: false })
  let server: Pick<Postgres, 'pid' | 'stop'> & { port: number } = await start()
  const { ownerUrl, appUrl } = server as Postgres
  await migrate(ownerUrl, appUrl)
  const kill = async () => {
    process.kill(server.pid, 'SIGKILL')
    await until(async () => !isRunning(server.pid) && !isUsed(dir), 30_000)
  }

  return {
    ownerUrl,
    appUrl,
    dataDir: join(place, 'data'),
    logFile: join(folder, 'workers.log'),
    disk,
    kill,
    async backUp() {
      await server.stop()
      rmSync(backup, { recursive: true, force: true })
      copy(dir, backup)
      server = await start()
    },
    async restore() {
      await server.stop()
      rmSync(dir, { recursive: true })
      copy(backup, dir)
      server = await start()
    },
    ship: () => copy(join(dir, 'pg_wal/.'), join(backup, 'pg_wal')),
    async failOver() {
      await kill()
      rmSync(dir, { recursive: true })
      dir = join(place, `server-${++servers}`)
      copy(backup, dir)
      const standby = await startStandby({ dir, log })
      if (standby.port !== server.port) throw new Error('The standby did not get the address of its primary.')
      await standby.promote()
      server = standby
    },
    async revive() {
      server = await start()
    },
    async close() {
      await server.stop()
      if (disk) execFileSync('umount', [place])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sessions outlive a killed server by a moment, in its folder. */
function isUsed(dir: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === dir
    } catch {
      return false
    }
  })
}
