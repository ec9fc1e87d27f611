// The database of the embedded PostgreSQL and its two roles.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './paths.mjs'

const pg = createRequire(join(root, 'api', 'package.json'))('pg')

/** @typedef {import('./postgres-folder.mjs').Connection} Connection */

/**
 * @template T
 * @param {Connection} connection @param {string} database
 * @param {(client: import('pg').Client) => Promise<T>} work
 */
export async function asSuperuser(connection, database, work) {
  const { port, superuser: password } = connection
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database, ssl: false })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Idempotent: the next start completes what a kill interrupted. @param {Connection} connection @param {boolean} clones */
export async function makeDatabase(connection, clones) {
  await asSuperuser(connection, 'postgres', async (client) => {
    const roles = [
      ['portal_owner', connection.owner, clones ? 'CREATEDB' : 'NOCREATEDB'],
      ['portal_app', connection.app, 'NOCREATEDB'],
    ]
    for (const [name, password, grants] of roles) {
      const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
      const verb = found.rowCount ? 'ALTER' : 'CREATE'
      await client.query(
        `${verb} ROLE ${name} LOGIN NOSUPERUSER NOCREATEROLE ${grants} PASSWORD '${password}'`,
      )
    }
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = 'portal'")
    if (!database.rowCount) await client.query('CREATE DATABASE portal OWNER portal_owner')
    await client.query('REVOKE CONNECT, TEMPORARY ON DATABASE portal FROM PUBLIC')
    await client.query('GRANT CONNECT, TEMPORARY ON DATABASE portal TO portal_app')
    if (clones) await client.query('GRANT SET ON PARAMETER session_replication_role TO portal_owner')
  })
}
