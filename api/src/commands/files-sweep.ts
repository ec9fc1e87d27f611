import { parseArgs } from 'node:util'
import { findOrphans } from '../kit/files/stored-files.ts'
import { readSettings } from '../kit/process/settings.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run files:sweep [-- --delete]: names the stored files that no row refers to and that are older than PORTAL_KEEP_DAYS
 * says of `orphans`, and deletes them only with --delete. The worker does it every night.
 */
async function run() {
  const { values } = parseArgs({ options: { delete: { type: 'boolean', default: false } } })
  await withContext(readSettings(process.env), 'portal-files', async (context) => {
    const { orphans, files } = await findOrphans(context, context.settings.keepDays.orphans)
    for (const key of orphans) {
      if (values.delete) await context.storage.remove(key)
      console.log(`${values.delete ? 'deleted' : 'without a row'}: ${key}`)
    }
    console.log(
      `${orphans.length} of ${files} files have no row and are older than ${context.settings.keepDays.orphans} days.`,
    )
  })
}

await runCommand(run)
