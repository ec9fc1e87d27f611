import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSettings } from '../kit/process/settings.ts'
import { casesNaming } from '../privacy/erasable.service.ts'
import { exportPerson } from '../privacy/export-person.service.ts'
import { withContext } from './connected.ts'
import { namedPerson, readPersonWords } from './person-words.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run person:export -- --student CODE [--case NUMBER] [--to FOLDER]: writes everything that the portal holds on one
 * person, with the cases that are about her. `--guardian`, `--teacher`, `--user` and `--expert` name other people.
 */
async function run() {
  const { name, to, cases } = readPersonWords('person:export')
  const settings = readSettings(process.env)
  await withContext(settings, 'person-export', async (context) => {
    const person = await namedPerson(context.db, name, cases)
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
    const file = `${person.subject.type}-${person.subject.id}-${stamp}`
    const folder = resolve(to ?? join(settings.dataDir, 'people', file))
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
    const { rows, documents } = await exportPerson(context, person, folder)
    console.log(
      `${rows} rows and ${documents} documents are in ${folder}; that they were exported is logged.`,
    )
    console.log('Only you can read this folder. Delete it once it was handed over.')
    const named = await casesNaming(context.db, person)
    if (named.length > 0)
      console.log(
        `These cases name this person or somebody of the same name, and are not in it: ${named.join(', ')}. Add --case NUMBER for those that are about her.`,
      )
  })
}

await runCommand(run, (error) =>
  (error as NodeJS.ErrnoException).code === 'EEXIST' ? (error as Error).message : undefined,
)
