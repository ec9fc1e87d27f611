import { expect, test } from 'vitest'
import { lettersTo } from '../access/accounts-outbox.ts'
import { caseStage, expert } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { mailsTo } from './notices.ts'

const portal = await startPortal()
const { owner } = portal

test('a person whose account was deactivated gets no letter that was queued before, and an expert with that address gets hers', async () => {
  const { reviewer, filer, form, fileCase } = await caseStage(portal)
  const admin = await portal.signedInAs('Administrator')
  const asked = await portal.signedIn('cases.create')
  for (const email of [expert.email, asked.user.email]) {
    const { id } = await fileCase(filer, { reviewer: form.reviewer })
    const referred = await reviewer.upload('/admin/cases/refer', { complain_id: id, ...expert, email })
    expect(referred.status).toBe(200)
  }
  expect(await mailsTo(portal, reviewer)).toHaveLength(2)
  for (const { user } of [reviewer, asked]) {
    const gone = await admin.put(`/users/profile/update/${user.id}`, { deactivate: true })
    expect(gone.status).toBe(200)
  }
  await portal.worker()
  await until(async () => {
    const { rowCount } = await owner.query(
      "select from pgboss.job where name = 'mail' and state <> 'completed'",
    )
    return rowCount === 0
  })
  expect(lettersTo(portal, reviewer.user.email)).toEqual([])
  expect(await mailsTo(portal, reviewer)).toEqual([])
  for (const email of [expert.email, asked.user.email]) expect(lettersTo(portal, email)).toHaveLength(1)
})
