import { beforeEach, expect, test } from 'vitest'
import { giveNotice } from '../../src/home/notices.service.ts'
import { notify } from '../../src/home/notifications.service.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { db, owner } = portal

beforeEach(() => portal.clear())

test('a person reads her notifications in her language and marks them as read', async () => {
  const person = await portal.signedIn()
  const other = await portal.signedIn()
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  await db.transaction().execute((tx) => notify(tx, [person.user.id], text, ['Avril'], '/admin/transfers'))
  const list = await person.get('/notifications', { 'accept-language': 'fr' })
  expect(list.body).toMatchObject({
    unread: 1,
    notifications: { total: 1, data: [{ text: 'La cohorte Avril a été rejetée.', read_at: null }] },
  })
  const { id } = list.body.notifications.data[0]
  expect((await other.put(`/notifications/${id}`, {})).status).toBe(404)
  expect((await person.put(`/notifications/${id}`, {})).body.message).toBe('Notification updated')
  expect((await person.get('/notifications')).body.unread).toBe(0)
})

test('an auditor reads who has marked which notification as read, once, and who has marked all', async () => {
  const [person, auditor] = [await portal.signedIn(), await portal.signedInAs('Auditor')]
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  for (const cohort of ['Mai', 'Juin', 'Juillet'])
    await db.transaction().execute((tx) => notify(tx, [person.user.id], text, [cohort], '/admin/transfers'))
  const [{ id }] = (await person.get('/notifications')).body.notifications.data
  for (const read of [true, true, false, true])
    expect((await person.put(`/notifications/${id}`, { read })).status).toBe(200)
  for (let n = 0; n < 2; n++) expect((await person.put('/notifications')).status).toBe(200)
  const { logs } = (
    await auditor.get(`/admin/users/audit/logs?user=${person.user.id}&per_page=10`, {
      'accept-language': 'fr',
    })
  ).body
  const entries = logs.data.filter((entry: { event: string }) => entry.event.startsWith('marked'))
  expect(entries.map(({ event, auditable_id }: Record<string, unknown>) => [event, auditable_id])).toEqual([
    ['marked as read', null],
    ['marked as read', id],
    ['marked as unread', id],
    ['marked as read', id],
  ])
  expect(entries[0].new_values).toEqual({ count: 2 })
  const sentence = (entry: { sentence: { text: string }[] }) =>
    entry.sentence.map((part) => part.text).join('')
  expect(sentence(entries[0])).toContain('a marqué toutes les notifications comme lues')
  expect(sentence(entries[2])).toMatch(new RegExp(`a marqué la notification n°\\s${id} comme non lue`))
})

test('a person marks all her notifications as read at once, and no others', async () => {
  const person = await portal.signedIn()
  const other = await portal.signedIn()
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  const both = [person.user.id, other.user.id]
  for (const name of ['Avril', 'Mai'])
    await db.transaction().execute((tx) => notify(tx, both, text, [name], null))
  expect((await person.put('/notifications', {})).body.message).toBe('All notifications are read')
  expect((await person.get('/notifications')).body).toMatchObject({ unread: 0, notifications: { total: 2 } })
  expect((await other.get('/notifications')).body.unread).toBe(2)
})

test('people with a permission are notified, unless their role requires one-time codes that they have not set up', async () => {
  const person = await portal.signedIn('cohorts.approve')
  const guarded = await portal.signedIn('cohorts.approve')
  const elsewhere = await portal.signedIn('schools.view')
  const [role] = (await guarded.get('/session')).body.user.roles
  await owner.query('update roles set requires_totp = true where id = $1', [role.id])
  const tell = (occasion: string) =>
    db.transaction().execute((tx) =>
      giveNotice(tx, 'cohort-to-approve', {
        subject: 1,
        link: '/home',
        occasion,
        parts: ['Avril'],
        by: null,
      }),
    )
  await tell('first')
  const unread = async (who: typeof person) => (await who.get('/notifications')).body.unread
  expect(await Promise.all([person, elsewhere].map(unread))).toEqual([1, 0])
  await owner.query('update users set totp_confirmed_at = now() where id = $1', [guarded.user.id])
  await tell('second')
  // Only the second one: before she had codes she was not told.
  expect(await Promise.all([person, guarded].map(unread))).toEqual([2, 1])
})
