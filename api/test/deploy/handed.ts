import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Portal } from '../portal.ts'
import { type EmptyDatabase, postgresPrograms } from './debian-postgres.ts'

/** What systemd hands to scripts and commands: settings, and secrets as files of `folder`. */
export function handed(
  folder: string,
  portal: Portal,
  { appUrl, ownerUrl }: Pick<EmptyDatabase, 'appUrl' | 'ownerUrl'>,
  dataDir: string,
) {
  const secrets = mkdtempSync(join(folder, 'secrets-'))
  const secret = (name: string, text: string) => {
    writeFileSync(join(secrets, name), text)
    return join(secrets, name)
  }
  return {
    PATH: `${postgresPrograms()}:${process.env.PATH}`,
    PORTAL_DATA_DIR: dataDir,
    PORTAL_DEMO: 'true',
    DATABASE_URL_FILE: secret('database', appUrl),
    DATABASE_OWNER_URL_FILE: secret('database-owner', ownerUrl),
    PORTAL_SECRET_FILE: join(portal.settings.dataDir, 'secret'),
  }
}
