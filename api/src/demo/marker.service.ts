import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { SettingsFault } from '../kit/process/settings.ts'

/**
 * Refuses a database that was filled with demo data if this is no demo, and the reverse (Registers 5.3), because real
 * and fictitious people must never mix. Returns how it was filled, or null if it is empty.
 */
export async function checkDemoMarker(db: Db, demo: boolean): Promise<'demo' | 'empty' | null> {
  const [made] = await rows(db, sql<{ filled_as: 'demo' | 'empty' }>`select filled_as from installation`)
  if (!made || (made.filled_as === 'demo') === demo) return made?.filled_as ?? null
  throw new SettingsFault(
    demo
      ? 'This database holds no demo: start with PORTAL_DEMO=false, or name another database or PORTAL_DATA_DIR for the demo.'
      : 'This database was filled as a demo: start with PORTAL_DEMO=true, or name another database or PORTAL_DATA_DIR.',
  )
}

/**
 * The same check at the start of the api. If the database cannot be reached yet, the api starts and its health check
 * answers 503.
 */
export async function refuseOtherKind(db: Db, demo: boolean): Promise<void> {
  try {
    await checkDemoMarker(db, demo)
  } catch (error) {
    if (error instanceof SettingsFault) throw error
  }
}

/** Marks a database that starts without demo data. From then on it cannot become a demo. */
export async function markEmpty(db: Db): Promise<void> {
  await sql`insert into installation (filled_as) values ('empty') on conflict do nothing`.execute(db)
}
