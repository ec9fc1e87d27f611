import { expect, test } from 'vitest'
import { caseStage } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { tablesWith } from '../registers/known-girl.ts'
import { addStudents } from '../registers/registers.ts'
import { erasureStage, erasures, pageOf, type Signed, why } from './erasure-stage.ts'

const portal = await startPortal()
const { later, number, student, studentOf, verified } = await erasureStage(portal)
const { owner } = portal

test('one administrator asks that a girl be erased, only another one can approve it, and nothing finds her any more', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  const decides: Signed = await portal.signedInAs('Administrator')
  const id = await studentOf('S-2')
  const path = `/admin/people/student/${id}/erasures`
  await later(asks)
  expect(await asks.post(path, why)).toMatchObject({ status: 403, body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  expect(await asks.post(path, why)).toMatchObject({ status: 200 })
  expect(await decides.post(path, why)).toMatchObject({
    status: 409,
    body: { message: 'The erasure of this person is already asked for.' },
  })
  const [request] = await erasures(decides)
  expect(request).toMatchObject({
    name: 'Aïssata Traoré 2',
    state: 'asked',
    ...why,
    asked_by: { id: asks.user.id },
    version: 1,
  })
  expect((await pageOf(decides, 'student', id)).erasure).toEqual(request)
  const noticesOf = async (person: Signed) => {
    const { notifications } = (await person.get('/notifications')).body
    return notifications.data.filter(
      ({ link }: { link: string }) => link === `/admin/users/people/student/${id}`,
    ).length
  }
  expect([await noticesOf(asks), await noticesOf(decides)]).toEqual([0, 1])
  const decision = `/admin/erasures/${request.id}/decision`
  const approval = { action: 'approved', reason: 'Letter seen', version: 1 }
  expect(await asks.post(decision, approval)).toMatchObject({
    status: 403,
    body: { message: 'You asked for this erasure, so somebody else must decide.' },
  })
  expect((await decides.post(`/admin/erasures/${request.id}/withdraw`, { version: 1 })).status).toBe(403)
  expect((await decides.post(decision, { ...approval, version: 2 })).status).toBe(409)
  await later(decides)
  expect(await decides.post(decision, approval)).toMatchObject({ body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  expect(await decides.post(decision, approval)).toMatchObject({ status: 200 })
  expect(await noticesOf(decides)).toBe(0)
  await until(async () => (await pageOf(decides, 'student', id)).erasure.state === 'erased')
  expect(await pageOf(decides, 'student', id)).toMatchObject({
    person: null,
    erasure: { name: null, reason: '—', decision: '—', decided_by: { id: decides.user.id } },
  })
  expect(await tablesWith(portal, 'Traoré 2')).toEqual([])
  expect(await tablesWith(portal, why.reason)).toEqual([])
  await verified()
  const { rows } = await owner.query(
    `select event, user_id from audits where auditable_type = 'student' and auditable_id = $1 and event ~ 'eras' order by id`,
    [id],
  )
  expect(rows).toEqual([
    { event: 'erasure asked', user_id: asks.user.id },
    { event: 'erasure approved', user_id: decides.user.id },
    { event: 'person erased', user_id: null },
  ])
})

test('the database takes no decision of the person who asked, and no erasure by the application', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  await asks.post(`/admin/people/student/${await studentOf('S-3')}/erasures`, why)
  const [{ id }] = await erasures(asks)
  const set = (values: string) =>
    portal.db.pool.query(`update erasure_requests set ${values} where id = ${id}`)
  const decided = `decided_at = now(), decision = 'x', decided_by`
  await expect(set(`state = 'approved', ${decided} = user_id`)).rejects.toThrow(/erasure_requests_four_eyes/)
  await expect(set("state = 'approved'")).rejects.toThrow(/erasure_requests_/)
  await expect(set("state = 'erased', erased_at = now()")).rejects.toThrow(/permission denied/)
  await expect(set("reason = 'Other'")).rejects.toThrow(/stays as it was asked/)
  await expect(portal.db.pool.query('delete from erasure_requests')).rejects.toThrow(/stays as it was asked/)
  const refuses = await portal.signedIn('people.erase')
  const refused = { action: 'refused', reason: 'Nobody signed the letter', version: 1 }
  expect((await refuses.post(`/admin/erasures/${id}/decision`, refused)).status).toBe(200)
  expect((await refuses.post(`/admin/erasures/${id}/decision`, { ...refused, version: 2 })).status).toBe(409)
  expect((await erasures(refuses))[0]).toMatchObject({ state: 'refused', decision: refused.reason })
})

test('an administrator reads what has to end before an erasure, says whose cases they are, and takes a request back', async () => {
  const admin: Signed = await portal.signedInAs('Administrator')
  const active = await pageOf(admin, 'user', admin.user.id)
  const account = 'The account is active: deactivate it first, so that others take over its work.'
  expect(active.person.bars).toEqual([account])
  expect(await admin.post(`/admin/people/user/${admin.user.id}/erasures`, why)).toMatchObject({
    status: 409,
    body: { message: account },
  })
  const path = `/admin/people/student/${student}/erasures`
  expect(await admin.post(path, { ...why, cases: [number] })).toMatchObject({
    status: 409,
    body: { message: `The case ${number} is open: resolve or reject it first.` },
  })
  expect(await admin.post(path, why)).toMatchObject({
    status: 422,
    body: {
      errors: {
        cases: [`Say of each case that has this name whether it is about this person: ${number}.`],
      },
    },
  })
  expect((await admin.post(path, { ...why, other_cases: [number] })).status).toBe(200)
  const [{ id, version }] = await erasures(admin)
  expect((await admin.post(`/admin/erasures/${id}/withdraw`, { version: 7 })).status).toBe(409)
  expect((await admin.post(`/admin/erasures/${id}/withdraw`, { version })).status).toBe(200)
  expect((await pageOf(admin, 'student', student)).erasure).toMatchObject({ state: 'withdrawn' })
})

test('an approved erasure is stopped with the reason, if a case with this name was filed in the meantime', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  const decides: Signed = await portal.signedInAs('Administrator')
  const id = await studentOf('S-3')
  expect((await asks.post(`/admin/people/student/${id}/erasures`, why)).status).toBe(200)
  const [request] = await erasures(asks)
  await owner.query("update cases set title = 'Aïssata Traoré 3' where number = $1", [number])
  // The call would have refused: this is the case that came after its check.
  await owner.query(
    "update erasure_requests set state = 'approved', decided_by = $1, decided_at = now(), decision = 'Seen' where id = $2",
    [decides.user.id, request.id],
  )
  const { erasure } = await until(async () => {
    const body = await pageOf(asks, 'student', id)
    return body.erasure.state === 'stopped' && body
  })
  expect(erasure.bars).toEqual([
    `The case ${number} names this person, or somebody of the same name: ask again, and say whose case it is.`,
  ])
})

test('whoever approves an erasure reads that it has to be asked for again, if a case with this name was filed since', async () => {
  await addStudents(portal, 11, 'D')
  const [asks, decides] = [await portal.signedInAs('Administrator'), await portal.signedIn('people.erase')]
  expect((await asks.post(`/admin/people/student/${await studentOf('D-11')}/erasures`, why)).status).toBe(200)
  const [{ id, version }] = await erasures(asks)
  const { filer, fileCase } = await caseStage(portal)
  const { number: since } = await fileCase(filer, { description: 'Aïssata Traoré 11 was not paid.' })
  const decision = `/admin/erasures/${id}/decision`
  expect(await decides.post(decision, { action: 'approved', reason: 'Seen', version })).toMatchObject({
    status: 409,
    body: {
      message: `The case ${since} names this person, or somebody of the same name: ask again, and say whose case it is.`,
    },
  })
  expect((await decides.post(decision, { action: 'refused', reason: 'Ask again', version })).status).toBe(200)
})

test('whoever approves the erasure of a former colleague reads that the account is active again', async () => {
  const [asks, decides] = [await portal.signedInAs('Administrator'), await portal.signedIn('people.erase')]
  const colleague = await portal.account('Auditor')
  const deactivated = (at: string) =>
    owner.query(`update users set deactivated_at = ${at} where id = $1`, [colleague.id])
  await deactivated('now()')
  expect((await asks.post(`/admin/people/user/${colleague.id}/erasures`, why)).status).toBe(200)
  await deactivated('null')
  const [{ id, version }] = await erasures(asks)
  const approval = { action: 'approved', reason: 'Letter seen', version }
  expect(await decides.post(`/admin/erasures/${id}/decision`, approval)).toMatchObject({
    status: 409,
    body: { message: 'The account is active: deactivate it first, so that others take over its work.' },
  })
})

test('whoever asks for an erasure without the right to cases learns of no other case than those that name the girl', async () => {
  await addStudents(portal, 9, 'E')
  const { filer, fileCase } = await caseStage(portal)
  const { number: other } = await fileCase(filer, { description: 'Nobody was named.' })
  const path = `/admin/people/student/${await studentOf('E-9')}/erasures`
  const curious: Signed = await portal.signedIn('people.erase')
  const refused = (known: string) => ({
    status: 422,
    body: { errors: { cases: [`The portal knows no case ${known}.`] } },
  })
  const ask = (cases: string[]) => curious.post(path, { reason: 'She asked', cases })
  expect(await ask(['X-1'])).toMatchObject(refused('X-1'))
  expect(await ask([other])).toMatchObject(refused(other))
  await fileCase(filer, { description: 'Aïssata Traoré 9 was not paid.' })
  const { naming } = (await curious.get(path.replace('/erasures', ''))).body.person
  expect(naming).toHaveLength(1)
  expect(await ask(naming)).toMatchObject({
    status: 409,
    body: { message: `The case ${naming[0]} is open: resolve or reject it first.` },
  })
})
