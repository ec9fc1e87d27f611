import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../src/commands/migrate.ts'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { migrationNames } from '../../src/migrations.ts'
import { runCommand } from '../commands.ts'
import { cloneDatabase } from '../database.ts'
import { startPortal, until } from '../portal.ts'
import { startPost } from './post.ts'

const post = await startPost()
afterAll(post.close)
const database = await cloneDatabase()
// Nothing listens there.
const portal = await startPortal({ smtpUrl: 'smtp://127.0.0.1:1' }, database)
const { owner, settings } = portal
const machine = machineServer(portal.context, { draining: false }, migrationNames(), {})
afterAll(() => machine.close())

const stateOf = async (email: string) =>
  (await owner.query('select state from mails where recipient = $1', [email])).rows[0]?.state
const jobOf = async (email: string) =>
  (
    await owner.query(
      `select j.state, j.retry_limit, j.retry_delay_max from pgboss.job j join mails m on m.id::text = j.data->>'id'
       where j.name = 'mail' and m.recipient = $1 order by j.created_on desc limit 1`,
      [email],
    )
  ).rows[0]
const measured = async (state: string) => {
  const { body } = await machine.inject('/metrics')
  return Number(new RegExp(`^portal_letters\\{state="${state}"\\} (\\d+)$`, 'm').exec(body)?.[1])
}

test('letters of an outage are tried for two days, told of, and sent once the mail server is back', async () => {
  const admin = await portal.signedInAs('Administrator')
  const seen = async () => (await admin.get('/admin/system')).body.letters
  const names = {
    first_name: 'Nana',
    last_name: 'Koné',
    gender: 'female',
    type: 'developer',
    user_title: 'mrs',
  }
  const [nana, late, known] = ['nana@test.example', 'late@test.example', (await portal.account()).email]
  for (const email of [nana, late])
    expect((await admin.post('/admin/users', { ...names, email })).status).toBe(200)
  await (await portal.visitor()).post('/password/forgot', { email: known })
  const stop = await portal.worker()
  for (const email of [nana, late, known])
    await until(async () => (await stateOf(email)) === 'failed' && (await jobOf(email)).state === 'retry')
  expect(await jobOf(nana)).toMatchObject({ retry_limit: 58, retry_delay_max: 3600 })
  expect(await seen()).toEqual({ waiting: 3, failed: 0 })
  expect([await measured('waiting'), await measured('failed')]).toEqual([3, 0])
  await stop()

  // Two days later nobody tries any more, and the links for a new password have ended.
  await owner.query("update pgboss.job set state = 'failed' where name = 'mail'")
  await owner.query('update mails set expires_at = now() where recipient in ($1, $2)', [late, known])
  expect(await seen()).toEqual({ waiting: 0, failed: 3 })
  expect(await measured('failed')).toBe(3)
  const listed = await runCommand(settings, 'outbox', [])
  expect(listed.out).toMatch(
    /^\S+\.eml {2}nana@test\.example {2}.+\n(.+ {2}\(not sent any more: .+\)\n){2}Waiting: 3\.\n$/,
  )
  expect(listed.out.split('\n')[0]).not.toContain('not sent any more')
  const [name = ''] = listed.out.split(' ')
  expect((await runCommand(settings, 'outbox', ['read', name])).out).toMatch(/\/password\/reset\/[\w-]{43}/)
  expect((await runCommand(settings, 'outbox', ['send', 'all'])).out).toMatch(/^Queued: 1\./)
  expect((await runCommand(settings, 'outbox', ['send', 'all'])).out).toMatch(/^Queued: 0\./)

  // One whose links have ended is not sent either by a try that was still to come.
  await owner.query(
    `update pgboss.job set state = 'retry', start_after = now(), retry_count = 1
     where name = 'mail' and data->>'id' = (select id::text from mails where recipient = $1)`,
    [late],
  )
  const restored = await startPortal({ smtpUrl: post.url }, { ...database, drop: async () => {} })
  await restored.worker()
  await until(async () => (await stateOf(nana)) === 'sent' && (await jobOf(late)).state === 'completed')
  expect(post.letters.map(({ to }) => to)).toEqual([[nana]])
  expect(await seen()).toEqual({ waiting: 0, failed: 2 })
})

test('an upgrade gives a queue that is there already its new limits', async () => {
  await owner.query("update pgboss.queue set retry_limit = 20, retry_delay_max = 60 where name = 'mail'")
  await migrate(settings.databaseOwnerUrl ?? '', settings.databaseUrl)
  const { rows } = await owner.query(
    "select name, retry_limit, retry_delay_max, heartbeat_seconds from pgboss.queue where name in ('mail', 'export') order by name",
  )
  expect(rows).toEqual([
    { name: 'export', retry_limit: 20, retry_delay_max: 60, heartbeat_seconds: 4 },
    { name: 'mail', retry_limit: 58, retry_delay_max: 3600, heartbeat_seconds: 4 },
  ])
})
