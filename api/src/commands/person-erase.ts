import type { Context } from '../kit/process/context.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { eraseApproved } from '../privacy/approved-erasures.service.ts'
import { barsToErasure } from '../privacy/erasable.service.ts'
import { beganMeanwhile, erasePerson } from '../privacy/erase-person.service.ts'
import { withContext } from './connected.ts'
import { namedPerson, readPersonWords } from './person-words.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run person:erase -- --student CODE [--case NUMBER] [--other-case NUMBER] [--stop-paying]: erases one person. What
 * accounting law needs of her payments stays. It runs as the owner of the database, because the application's role may
 * neither empty values of the audit log nor change a frozen list. `--approved` alone carries out the requests that two
 * people decided on the pages; a timer runs it every night, because no worker of an installation has DATABASE_OWNER_URL.
 */
async function run() {
  const approved = process.argv[2] === '--approved'
  const settings = readSettings(process.env)
  if (!settings.databaseOwnerUrl)
    throw new SettingsFault('DATABASE_OWNER_URL is missing: people are erased as the owner of the database.')
  const asOwner = { ...settings, databaseUrl: settings.databaseOwnerUrl }
  await withContext(asOwner, 'person-erase', async (context) => {
    if (approved) return carryOut(context)
    const words = readPersonWords('person:erase')
    await eraseNamed(context, words).catch((error) => {
      // What began meanwhile is among the bars when they are read again.
      if (beganMeanwhile(error)) return eraseNamed(context, words)
      throw error
    })
    const { name } = words
    console.log(`${name.by} ${name.name} is erased; that it was done is logged.`)
    console.log(
      'Amounts, days and references of payments stay. Run npm run audit:verify and npm run ledger:verify.',
    )
  })
}

/** Erases the person whom the words name, or says why not. */
async function eraseNamed(context: Context, { name, cases, ...decided }: ReturnType<typeof readPersonWords>) {
  const person = await namedPerson(context.db, name, cases)
  const bars = await barsToErasure(context.db, person, decided)
  if (bars.length > 0)
    throw new SettingsFault(`Nothing was erased.\n${bars.map((bar) => `- ${bar.en}`).join('\n')}`)
  await erasePerson(context, person)
}

/** Carries out what two people decided. What fails is an error in the log, and is tried again in the next night. */
async function carryOut(context: Context) {
  const { erased, stopped, waiting, failed } = await eraseApproved(context)
  console.log(
    `Approved erasures: ${erased} carried out, ${stopped} stopped, ${waiting} wait for an export or an import that is under way.`,
  )
  if (failed === 0) return
  console.error(`${failed} failed and will be tried again by the next run: the log says why.`)
  process.exitCode = 1
}

await runCommand(run)
