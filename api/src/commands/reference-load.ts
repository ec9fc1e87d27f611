import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { say } from '@portal/contracts/sentences'
import { WorkbookProblem } from '@portal/excel/limits'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { readBoundaries } from '../reference/boundaries.import.ts'
import { loadBoundaries, loadReference } from '../reference/reference.service.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run reference:load -- ml|sn [-- boundaries FILE.xlsx]'

/**
 * Loads the reference lists (`ml`) or a file of boundaries (`ml boundaries FILE.xlsx`). npm passes a second `--` on, so
 * it is dropped.
 */
async function run(args: string[]) {
  const { positionals } = parseArgs({ args: args.filter((word) => word !== '--'), allowPositionals: true })
  const [country, word, file] = positionals
  if ((country !== 'ml' && country !== 'sn') || (word && (word !== 'boundaries' || !file)))
    throw new SettingsFault(usage)
  if (file && !existsSync(file)) throw new SettingsFault(`${file} is not there.`)
  await withDatabase(readSettings(process.env), 2, async (db) => {
    if (file) {
      const { districts, left_out } = await readBoundaries(file)
      tell(await loadBoundaries(db, country, districts))
      if (left_out > 0) console.log(`${left_out} rows were left out: a cell was empty.`)
    } else tell(await loadReference(db, country))
  })
}

function tell(loaded: Record<string, number>) {
  const news = Object.entries(loaded).filter(([, count]) => count > 0)
  console.log(
    news.length
      ? `New or changed: ${news.map(([name, count]) => `${count} ${name}`).join(', ')}.`
      : 'Nothing new.',
  )
}

await runCommand(
  () => run(process.argv.slice(2)),
  (error) => (error instanceof WorkbookProblem ? say(error.problem, 'en') : undefined),
)
