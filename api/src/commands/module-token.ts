import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Refusal } from '../kit/http/refusals.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { createModuleToken, listModuleTokens, revokeModuleToken } from '../modules/module-tokens.service.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

const usage = `npm run module:token -- mfe-clinics                                lists its tokens
npm run module:token -- mfe-clinics --by EMAIL --name "Our server" --read notes --write visits --days 90
npm run module:token -- mfe-clinics --by EMAIL --revoke 3

--by is the account that stands for it. --read and --write name collections, and may be given several times.`

/** npm run module:token: makes, lists and revokes the tokens with which a team's server calls for records of its module. */
async function run() {
  const text = { type: 'string' } as const
  const names = { type: 'string', multiple: true, default: [] as string[] } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: text, name: text, days: text, revoke: text, read: names, write: names },
  })
  const [module] = positionals
  if (!module) throw new SettingsFault(usage)
  await withContext(readSettings(process.env), 'module-token', async ({ db, registry }) => {
    if (values.revoke === undefined && values.name === undefined) {
      for (const { id, name, read, write, expires_at, last_used_at, revoked_at } of await listModuleTokens(
        db,
        module,
      ))
        console.log(
          `${id}  ${name}: reads ${read.join(', ') || 'nothing'}, writes ${write.join(', ') || 'nothing'}; last used ${last_used_at ?? 'never'}; ${revoked_at ? `revoked ${revoked_at}` : `until ${expires_at}`}`,
        )
      return
    }
    const { rows } = await sql<{ id: number }>`
      select id from users where email = ${values.by ?? ''} and account and deactivated_at is null`.execute(
      db,
    )
    const person = rows[0]
    if (!person) throw new SettingsFault(`--by needs the e-mail address of an account.\n\n${usage}`)
    const author = { id: person.id, ip: null, user_agent: 'module:token', request_id: null }
    if (values.revoke !== undefined) {
      await revokeModuleToken(db, author, module, Number(values.revoke))
      console.log(`Token ${values.revoke} is revoked.`)
      return
    }
    const days = Number(values.days ?? 90)
    if (!Number.isInteger(days) || days < 1 || days > 366)
      throw new SettingsFault('--days is a whole number from 1 to 366.')
    const asked = { name: values.name ?? '', read: values.read, write: values.write, days }
    const { id, token } = await createModuleToken(db, registry, author, module, asked)
    console.log(`Token ${id}, shown only now:\n${token}`)
  })
}

await runCommand(run, (error) =>
  error instanceof Refusal
    ? Object.values(error.body('en').errors ?? { '': [error.body('en').message] })
        .flat()
        .join('\n')
    : undefined,
)
