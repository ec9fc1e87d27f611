import { waitFor } from '@portal/registry/wait'
import pg from 'pg'

/** How long one attempt may take, in milliseconds. */
const attemptMs = 5_000

/** SQLSTATE of a server that starts, stops, or has no connection left, and of a connection that broke. */
const temporary = /^(57P0[123]|53300|08(?!P01)...)$/

/**
 * Waits until the database can be written to, and says so. A wrong password or name is not waited for. A standby is, because
 * during a failover the address may lead to one.
 */
export async function waitForDatabase(
  url: string,
  limitMs: number,
  tell: (line: string) => void,
): Promise<void> {
  const { hostname, port } = new URL(url)
  await waitFor(() => look(url), {
    what: `the database at ${hostname}:${port || 5432}`,
    limitMs,
    isFinal: (error) => error instanceof pg.DatabaseError && !temporary.test(error.code ?? ''),
    tell,
  })
}

async function look(url: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'portal',
    connectionTimeoutMillis: attemptMs,
    query_timeout: attemptMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]?.standby) throw new Error('it is a standby')
  } finally {
    await client.end().catch(() => {})
  }
}
