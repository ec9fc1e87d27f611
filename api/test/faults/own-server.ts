import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres, startStandby } from '../../../scripts/postgres.mjs'
import { migrate } from '../../src/commands/migrate.ts'
import { until } from '../portal.ts'

/** A PostgreSQL server that tests can kill, restore from a backup, and replace by a standby. */
export type OwnServer = {
  ownerUrl: string
  appUrl: string
  /** A folder on the disk of the server, which `fill` fills. */
  dataDir: string
  /** A folder on another disk. */
  logFile: string
  /** Stops the server, copies its folder, and starts it again. */
  backUp(): Promise<void>
  /** Stops the server and starts the backup in its place. */
  restore(): Promise<void>
  /** Ships the WAL since the backup to the standby. The standby never gets what is written afterwards. */
  ship(): void
  /** Kills the server and promotes the standby (the backup with the shipped WAL) at its address. */
  failOver(): Promise<void>
  kill(): Promise<void>
  /** Starts the server unless it runs. */
  revive(): Promise<void>
  /** Fills the disk until `empty` is called. Null if no separate disk can be mounted. */
  disk: { fill(): void; empty(): void } | null
  close(): Promise<void>
}

const plenty = '8g'

/** Mounting a separate disk needs root. Otherwise the faults with a full disk are left out. */
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
      // The server writes meanwhile, so the size that was read first may be too small.
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
    // The dot stands for the content of the folder. `join` would drop it, and the folder would be copied into the other.
    ship: () => copy(`${join(dir, 'pg_wal')}/.`, join(backup, 'pg_wal')),
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

/** Processes of a killed server may use its folder for a moment. */
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
