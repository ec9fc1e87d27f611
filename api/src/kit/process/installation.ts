import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, rows } from '../database/db.ts'
import { type Settings, SettingsFault } from './settings.ts'

type Place = Pick<Settings, 'installation' | 'dataDir'>

/** The id of the installation that this database belongs to. */
export async function readInstallation(db: Db): Promise<string> {
  const [row] = await rows(db, sql<{ id: string }>`select id from installation_identity`)
  if (!row) throw new Error('The database has no installation: its migrations did not run.')
  return row.id
}

/**
 * Checks that the id in the database equals the one outside of it. On its first start a database takes the id that
 * exists outside; if there is none, its own id is written there. Later a difference is refused.
 */
export async function checkInstallation(db: Db, settings: Place): Promise<string> {
  const outside = settings.installation ?? (await readFileOnce(settings.dataDir))
  if (outside) {
    await rows(
      db,
      sql`update installation_identity set id = ${outside}, adopted_at = now() where adopted_at is null`,
    )
  }
  const inside = await readInstallation(db)
  if (outside && outside !== inside) throw differs(settings, outside, inside)
  if (outside) return inside
  const written = await writeFileFirst(settings.dataDir, inside)
  if (written !== inside) throw differs(settings, written, inside)
  await rows(db, sql`update installation_identity set adopted_at = now() where adopted_at is null`)
  return inside
}

/**
 * The same check at the start of the api. If the database cannot be reached yet, the api starts and its health check
 * answers 503.
 */
export async function refuseOtherInstallation(db: Db, settings: Place): Promise<void> {
  try {
    await checkInstallation(db, settings)
  } catch (error) {
    if (error instanceof SettingsFault) throw error
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'installation')

async function readFileOnce(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim().toLowerCase() || undefined
}

/** Writes the id unless another process wrote it first. Returns the id in the file. */
async function writeFileFirst(dataDir: string, id: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(fileOf(dataDir), id, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFileOnce(dataDir)) ?? id
}

function differs(settings: Place, outside: string, inside: string): SettingsFault {
  const place = settings.installation ? 'PORTAL_INSTALLATION' : `The file ${fileOf(settings.dataDir)}`
  return new SettingsFault(
    `${place} says ${outside}, but the database belongs to the installation ${inside}: name this installation's own database, or the data folder that belongs to it.`,
  )
}
