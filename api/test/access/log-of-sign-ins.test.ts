import { expect, test } from 'vitest'
import { caseStage } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()

test('a person who types their password where the e-mail belongs does not leave it in the audit log', async () => {
  const visitor = await portal.visitor()
  const typed = 'Sunjata-is-my-secret-1235'
  for (let times = 0; times < 2; times++)
    expect((await visitor.post('/login', { email: typed, password: 'x' })).status).toBe(422)
  const { rows } = await portal.owner.query(
    `select v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'sign-in failed'`,
  )
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toMatch(/sunjata/i)
  // The same text has the same fingerprint, so that repeated attempts are seen.
  expect(rows[0].new_values.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect(rows[0]).toEqual(rows[1])
  const auditor = await portal.signedInAs('Auditor')
  const read = async (locale: string) => {
    const answer = await auditor.get('/admin/users/audit/logs?event=sign-in%20failed', {
      'accept-language': locale,
    })
    return answer.body.logs.data[0].sentence[0].text as string
  }
  expect(await read('en')).toMatch(
    /^A sign-in with an e-mail that no account has failed — fingerprint of the text: /,
  )
  expect(await read('fr')).toMatch(
    /^Une connexion avec un e-mail qui n’existe pas a échoué — empreinte du texte : /,
  )
})

test('an auditor still reads as whom somebody failed to sign in, if there is such an account', async () => {
  const account = await portal.account()
  await (await portal.visitor()).post('/login', { email: account.email, password: 'not the password' })
  const auditor = await portal.signedInAs('Auditor')
  const { data } = (await auditor.get('/admin/users/audit/logs?event=sign-in%20failed')).body.logs
  expect(data[0]).toMatchObject({ auditable_id: account.id, new_values: { email: account.email } })
})

test('an officer without rights on cases reads no e-mail of a reviewer', async () => {
  const { reviewer } = await caseStage(portal)
  for (const person of [await portal.signedIn('schools.view'), await portal.signedIn('cases.create')]) {
    const answer = await person.get('/admin/cases')
    expect(answer.body.partners).toEqual([expect.objectContaining({ name: 'Sahel Aid' })])
    expect(JSON.stringify(answer.body)).not.toContain(reviewer.user.email)
  }
})
