import pg from 'pg'
import { SettingsFault } from '../process/settings.ts'

/** SQLSTATE of a server that refuses a role, its password, or the name of a database. */
const refused = new Set(['28000', '28P01', '3D000'])

/** The sentence for an operator whose database refuses the address of a setting; any other error is returned as it is. */
export function refusalOf(
  error: unknown,
  setting: 'DATABASE_URL' | 'DATABASE_OWNER_URL',
  url: string,
): unknown {
  if (!(error instanceof pg.DatabaseError) || !refused.has(error.code ?? '')) return error
  const { hostname, port } = new URL(url)
  return new SettingsFault(
    `The database at ${hostname}:${port || 5432} refuses ${setting} (${error.message}): check role, password and name of the database in it.`,
  )
}
