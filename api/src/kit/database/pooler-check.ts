import pg from 'pg'
import { type Settings, SettingsFault } from '../process/settings.ts'
import { refusalOf } from './database-refusal.ts'

/** Clients that ask at the same time. Over a pooler that shares sessions at least two of them get the same one. */
const clients = 4

const sentence = (seen: string) =>
  `DATABASE_URL leads to a pooler ${seen}. The portal needs sessions of its own, because its time limits, prepared statements and locks belong to a session: name PostgreSQL itself (port 5432, not 6432), and set PORTAL_DB_CONNECTIONS so that all processes together stay below its max_connections.`

/**
 * Refuses a database behind a pooler that shares sessions between transactions, as pgbouncer does with pool_mode=transaction,
 * and one that refuses the role, its password or the name. A database that cannot be reached is left to the checks that follow.
 */
export async function refusePooler({ databaseUrl }: Pick<Settings, 'databaseUrl'>): Promise<void> {
  const open: pg.Client[] = []
  try {
    const seen = new Set<number>()
    for (let n = 0; n < clients; n++) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'portal',
        connectionTimeoutMillis: 2_000,
        statement_timeout: 5_000,
        lock_timeout: 5_000,
        idle_in_transaction_session_timeout: 5_000,
      })
      client.on('error', () => {})
      await client.connect()
      open.push(client)
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      seen.add(rows[0]?.pid ?? 0)
    }
    if (seen.size < clients)
      throw new SettingsFault(sentence('that gives several connections the same session'))
  } catch (error) {
    // pgbouncer refuses the time limits of a session, whatever its mode, unless it is told to drop them.
    if (error instanceof Error && /unsupported startup parameter/.test(error.message))
      throw new SettingsFault(sentence(`that refuses time limits (${error.message})`))
    const refusal = refusalOf(error, 'DATABASE_URL', databaseUrl)
    if (refusal instanceof SettingsFault) throw refusal
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => {})))
  }
}
