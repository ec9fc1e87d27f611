import { beforeAll, expect, test } from 'vitest'
import { asConsultant, caseStage, expert, file, inviteOf, pdf } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'

const portal = await startPortal()
const girl = 'Aïssata Traoré 1'
beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 2)
})

test('an administrator is told of each case that names a girl, whoever wrote her name and wherever, before she is erased', async () => {
  const { reviewer, filer, form, fileCase } = await caseStage(portal)
  const on = async (act: string, fields: Record<string, string | File>) => {
    const filed = await fileCase()
    const sent = await reviewer.upload(`/admin/cases/${act}`, { complain_id: filed.id, ...fields })
    expect(sent.status).toBe(200)
    return filed
  }
  const decide = async () => {
    const filed = await fileCase()
    const verdict = { complain_id: filed.id, action: 'resolve', verdict: `${girl} was paid.` }
    expect((await reviewer.post('/admin/cases/resolve', verdict)).status).toBe(200)
    return filed
  }
  const note = async () => {
    const filed = await fileCase()
    const activity = { complain_id: filed.id, channel_id: form.channel, note: `Called ${girl}.` }
    expect((await reviewer.post('/admin/cases/activity', activity)).status).toBe(200)
    return filed
  }
  const answered = async () => {
    const filed = await on('refer', { ...expert })
    const link = asConsultant(await portal.visitor(), await inviteOf(portal, filed.number))
    expect((await link.answer({ comment: `I know ${girl}.` })).status).toBe(200)
    return filed
  }
  const named = [
    await fileCase(filer, { title: `Payment of ${girl}` }),
    await fileCase(filer, { description: `${girl} got nothing.` }),
    await fileCase(filer, { plaintiff: girl }),
    await decide(),
    await note(),
    await on('file', { description: `Letter of ${girl}`, file: file('letter.pdf', pdf) }),
    await on('file', { description: 'A letter', file: file(`${girl}.pdf`, pdf) }),
    await on('refer', { ...expert, comment: `Is it the number of ${girl}?` }),
    await answered(),
  ]
  await fileCase(filer, { description: 'Aïssata Traoré 2 got nothing.' })
  const { rows } = await portal.owner.query("select id from students where student_code = 'S-1'")
  const admin = await portal.signedInAs('Administrator')
  const page = (await admin.get(`/admin/people/student/${rows[0].id}`)).body.person
  expect(page.naming).toEqual(named.map(({ number }) => number).sort())
})

test('an expert can be erased once her request has ended, also by its time, and not while it is open', async () => {
  const { reviewer, fileCase } = await caseStage(portal)
  const { id } = await fileCase()
  await reviewer.upload('/admin/cases/refer', { ...expert, email: 'expert@test.example', complain_id: id })
  const [{ id: referral, number }] = (await reviewer.get(`/admin/cases/${id}/details`)).body.referrals
  const admin = await portal.signedInAs('Administrator')
  const bars = async () => (await admin.get(`/admin/people/expert/${referral}`)).body.person.bars
  expect(await bars()).toEqual([expect.stringContaining(number)])
  await portal.owner.query('update referrals set expired_at = now() where id = $1', [referral])
  expect(await bars()).toEqual([])
})
