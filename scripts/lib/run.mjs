// Runs one of our TypeScript files with the settings and the database of `npm start`. Starts the database if it is down.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../postgres.mjs'
import { dataDir, root } from './paths.mjs'
import { main, Sentence, say } from './say.mjs'
import { demoSecret, prepareDataDir, readSettings } from './settings.mjs'
import { logFile } from './supervisor.mjs'

await main(async () => {
  const [file = '', ...rest] = process.argv.slice(2)
  if (!existsSync(join(root, file))) throw new Sentence(`There is no ${file} to run.`)
  const { env, demo } = readSettings()
  prepareDataDir()
  const server =
    env.DATABASE_URL || env.DATABASE_URL_FILE
      ? undefined
      : await startPostgres({ dir: join(dataDir, 'postgres'), log: logFile(dataDir, 'postgres'), say })
  if (demo && !env.PORTAL_SECRET_FILE) env.PORTAL_SECRET ||= demoSecret()
  const database = server && { DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl }
  try {
    const child = spawn(process.execPath, [join(root, file), ...rest], {
      env: { ...env, ...database },
      stdio: 'inherit',
    })
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    if (server && !server.adopted) await server.stop()
  }
})
