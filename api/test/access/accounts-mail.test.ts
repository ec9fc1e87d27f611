import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sendMail } from '../../src/home/mail.service.ts'
import { type Letter, startPost } from '../letters/post.ts'
import { startPortal, until } from '../portal.ts'

const { letters, url, close } = await startPost()
afterAll(close)
const portal = await startPortal({
  smtpUrl: url,
  mailFrom: 'Portail <portail@test.example>',
  publicUrl: 'https://portail.a-long-name-of-an-organisation.example.org',
})
await portal.worker()

const arrived = (to: string) => until(async () => letters.find((letter) => letter.to.includes(to)), 15_000)
/** The decoded text of a mail. */
function textOf({ text }: Letter): string {
  const split = text.indexOf('\r\n\r\n')
  const [head, body] = [text.slice(0, split), text.slice(split + 4)]
  const encoding = /^Content-Transfer-Encoding: (.+)$/im.exec(head)?.[1]?.trim()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

test('an invited person gets the mail in her language, with a link that is not broken', async () => {
  const admin = await portal.signedInAs('Administrator')
  const names = {
    first_name: 'Kadidia',
    last_name: 'Élé',
    gender: 'female',
    type: 'partner',
    user_title: 'dr',
  }
  const { user } = (await admin.post('/admin/users', { ...names, email: 'kadidia@test.example' })).body
  const letter = await arrived('kadidia@test.example')
  expect(letter.text).toMatch(/^From: Portail <portail@test\.example>\r$/m)
  const text = textOf(letter).replaceAll('\r\n', '\n')
  expect(text).toContain('Bonjour Kadidia Élé,')
  const link =
    /^https:\/\/portail\.a-long-name-of-an-organisation\.example\.org\/password\/reset\/([\w-]{43})$/m.exec(
      text,
    )
  const reset = await (await portal.visitor()).post('/password/reset', {
    token: link?.[1],
    password: 'une phrase assez longue',
  })
  expect(reset.status).toBe(200)
  await portal.owner.query("update users set locale = 'en' where id = $1", [user.id])
  await (await portal.visitor()).post('/password/forgot', { email: 'kadidia@test.example' })
  await until(async () => letters.filter(({ to }) => to.includes('kadidia@test.example')).length === 2)
  const english = textOf(letters.at(-1) as Letter)
  expect(english).toContain('Hello Kadidia Élé,')
  expect(english).not.toContain('Bonjour')
  expect(existsSync(join(portal.settings.dataDir, 'outbox'))).toBe(false)
})

test('a person gets a mail exactly once when the mail server defers it first', async () => {
  await portal.db.transaction().execute((tx) =>
    sendMail(tx, portal.settings, {
      recipient: 'busy@test.example',
      subject: 'Réunion',
      body: 'À bientôt',
    }),
  )
  const state = async (wanted: string) =>
    (
      await portal.owner.query('select from mails where recipient = $1 and state = $2', [
        'busy@test.example',
        wanted,
      ])
    ).rowCount
  await until(() => state('failed'))
  await arrived('busy@test.example')
  await until(() => state('sent'))
  expect(letters.filter(({ to }) => to.includes('busy@test.example'))).toHaveLength(1)
})
