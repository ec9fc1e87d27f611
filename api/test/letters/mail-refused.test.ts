import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'
import { startPost } from './post.ts'

const post = await startPost()
afterAll(post.close)
const portal = await startPortal({ smtpUrl: post.url })
const { owner, settings } = portal

const letterOf = async (email: string) =>
  (
    await owner.query(
      `select m.state, m.error, j.state as job from mails m join pgboss.job j on j.name = 'mail' and j.data->>'id' = m.id::text
       where m.recipient = $1`,
      [email],
    )
  ).rows[0]

test('an operator reads at once why a letter was refused for good, and one that was only put off is tried again', async () => {
  const admin = await portal.signedInAs('Administrator')
  const names = {
    first_name: 'Nana',
    last_name: 'Koné',
    gender: 'female',
    type: 'developer',
    user_title: 'mrs',
  }
  const [gone, full, relay] = ['gone@test.example', 'full@test.example', 'relay@test.example']
  for (const email of [gone, full, relay])
    expect((await admin.post('/admin/users', { ...names, email })).status).toBe(200)
  await portal.worker()
  await until(
    async () => (await letterOf(gone)).state === 'failed' && (await letterOf(gone)).job !== 'active',
  )
  expect(await letterOf(gone)).toMatchObject({ job: 'completed', error: expect.stringContaining('550 ') })
  // The mailbox is full today, and a server that does not relay for us is mended by whoever operates it.
  for (const email of [full, relay])
    await until(
      async () => (await letterOf(email)).state === 'failed' && (await letterOf(email)).job === 'retry',
    )
  expect((await admin.get('/admin/system')).body.letters).toEqual({ waiting: 2, failed: 1 })
  expect((await runCommand(settings, 'outbox', [])).out).toMatch(
    /^\S+\.eml {2}gone@test\.example {2}.+\(.*550 .*No such user.*\)\nWaiting: 1\.\n$/,
  )
  expect(post.letters).toEqual([])
})
