import { beforeEach, describe, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { bellOf, mailsTo, prefer } from '../letters/notices.ts'
import { startPortal } from '../portal.ts'
import { cases, health, healthStage, record, view, visits } from './health-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 4 })
const { serverOf } = healthStage(portal)
const { registry } = portal.context

describe('notices of a module', () => {
  const fields = [
    { name: 'student', label: { en: 'Student', fr: 'Élève' }, type: 'text' },
    { name: 'date', label: { en: 'Date', fr: 'Date' }, type: 'day' },
    { name: 'nurse', label: { en: 'Nurse', fr: 'Infirmière' }, type: 'whole' },
  ]
  const notice = {
    ...{ collection: 'visits', permission: 'health.view', link: '/admin/health?search={student}&visit={id}' },
    title: { en: 'Girl referred', fr: 'Élève orientée' },
    text: { en: '{student} was referred on {date}.', fr: '{student} a été orientée le {date}.' },
  }
  const telling = {
    ...{ ...health, version: '1.3.0', title: { en: 'Health', fr: 'Santé' } },
    collections: health.collections.map((each) => ({ ...each, fields })),
    notices: [
      { ...notice, id: 'referred' },
      { ...notice, id: 'yours', to: 'nurse' },
    ],
  }
  const path = '/modules/mfe-health/notices'
  const awa = { student: 'Awa Diallo', date: '2026-03-02' }
  beforeEach(async () => {
    await release(registry, telling, cases)
    await followModules(portal.context)()
  })

  test('a nurse tells who may read it, once for each version of the record; the mail names nobody', async () => {
    const nurse = await portal.signedIn(view, record)
    const doctor = await portal.signedIn(view)
    const clerk = await portal.signedIn('cases.view')
    await prefer(doctor, { modules: { 'mfe-health': { bell: true, mail: 'at-once' } } })
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    const sent = await nurse.post(path, { notice: 'referred', record: id })
    expect(sent).toMatchObject({ status: 200, body: { message: 'One person was told.', people: 1 } })
    expect(await bellOf(doctor)).toMatchObject([
      {
        text: 'Health: Awa Diallo was referred on 2 Mar 2026.',
        link: `/admin/health?search=Awa%20Diallo&visit=${id}`,
      },
    ])
    expect(await mailsTo(portal, doctor)).toEqual(['Santé : Élève orientée'])
    expect([await bellOf(nurse), await bellOf(clerk)]).toEqual([[], []])
    expect((await nurse.post(path, { notice: 'referred', record: id })).body).toEqual({
      message: 'Nobody was told: everybody concerned knows of it already.',
      people: 0,
    })
    await nurse.put(`${visits}/${id}`, { data: { ...awa, date: '2026-03-03' }, version: 1 })
    expect((await nurse.post(path, { notice: 'referred', record: id })).body.people).toBe(1)
    const { rows } = await portal.owner.query(
      `select user_id, new_values from audits a join audit_values v on v.audit_id = a.id where event = 'people told' order by a.id`,
    )
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual({
      user_id: nurse.user.id,
      new_values: { module: 'mfe-health', collection: 'visits', notice: 'referred', people: 1 },
    })
  })

  test('a notice to the account of a field reaches her alone, and nobody without the permission', async () => {
    const nurse = await portal.signedIn(record)
    const [one, other] = [await portal.signedIn(view), await portal.signedIn(view)]
    const clerk = await portal.signedIn('cases.view')
    for (const [who, people] of [
      [one, 1],
      [clerk, 0],
    ] as const) {
      const { id } = (await nurse.post(visits, { data: { ...awa, nurse: who.user.id } })).body.record
      expect((await nurse.post(path, { notice: 'yours', record: id })).body.people).toBe(people)
    }
    expect([(await bellOf(one)).length, (await bellOf(other)).length]).toEqual([1, 0])
  })

  test('a person switches the notices of a module off, and chooses for none that cannot reach her', async () => {
    const nurse = await portal.signedIn(record)
    const doctor = await portal.signedIn(view)
    const own = (await doctor.get('/notifications/preferences')).body
    expect(own).toEqual({
      preferences: { modules: { 'mfe-health': { bell: true, mail: 'digest' } } },
      titles: { 'mfe-health': { en: 'Health', fr: 'Santé' } },
    })
    await prefer(doctor, { modules: { 'mfe-health': { bell: false, mail: 'off' } } })
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    await nurse.post(path, { notice: 'referred', record: id })
    expect(await bellOf(doctor)).toEqual([])
    const off = { modules: { 'mfe-health': { bell: false, mail: 'off' } } }
    expect((await nurse.put('/notifications/preferences', off)).status).toBe(422)
  })

  test('what is not declared, not written by the caller or more than a day may have, tells nobody', async () => {
    const nurse = await portal.signedIn(record)
    const doctor = await portal.signedIn(view)
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    const unknown = await nurse.post(path, { notice: 'lottery', record: id })
    expect(unknown.body.errors.notice).toEqual([
      'The live version of the module declares no notice “lottery”.',
    ])
    expect((await nurse.post(path, { notice: 'referred', record: id + 1 })).status).toBe(404)
    expect((await doctor.post(path, { notice: 'referred', record: id })).status).toBe(403)
    expect((await nurse.post('/modules/mfe-cases/notices', { notice: 'referred', record: id })).status).toBe(
      422,
    )
    await portal.owner.query(
      "insert into module_notice_days values ('mfe-health', (now() at time zone 'utc')::date, 1000)",
    )
    const spent = await nurse.post(path, { notice: 'referred', record: id })
    expect(spent).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('may write 1000 lines a day') },
    })
    expect(await bellOf(doctor)).toEqual([])
  })

  test('a server tells people with its token, if that writes the collection', async () => {
    const admin = await portal.signedInAs('Administrator')
    const doctor = await portal.signedIn(view)
    const tokens = '/admin/modules/mfe-health/tokens'
    const feed = (await admin.post(tokens, { name: 'Feed', write: ['visits'], days: 30 })).body
    const reader = (await admin.post(tokens, { name: 'Copy', read: ['visits'], days: 30 })).body
    const { id } = (await serverOf(admin, feed.token).post(visits, { data: awa })).body.record
    expect((await serverOf(admin, reader.token).post(path, { notice: 'referred', record: id })).status).toBe(
      403,
    )
    expect((await serverOf(admin, feed.token).post(path, { notice: 'referred', record: id })).status).toBe(
      200,
    )
    expect(await bellOf(doctor)).toHaveLength(1)
    const { rows } = await portal.owner.query(
      `select user_id, new_values from audits a join audit_values v on v.audit_id = a.id where event = 'people told'`,
    )
    expect(rows).toMatchObject([{ user_id: null, new_values: { token: 'Feed', notice: 'referred' } }])
  })
})
