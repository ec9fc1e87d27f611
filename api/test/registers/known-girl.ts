import { expect } from 'vitest'
import { caseStage, pdf } from '../cases/case-stage.ts'
import { recipient, type Stage } from '../cohorts.ts'
import { type Portal, until } from '../portal.ts'
import { machine, makeToken, report } from '../sync/sync.ts'
import { fileOf, imported } from './registers.ts'

/** A girl of whom the portal knows everything it can. Her guardian is `Fatoumata Coulibaly 1`, with the number of the first recipient. */
export const code = 'KYS-000001'
export const girl = { first_name: 'Kadiatou', last_name: 'Sissoko' }
export const guardian = 'TUT-4711'
export const phone = recipient(1)[2] as string

/** Waits until every payment of the cohort has an outcome. */
export const settled = (stage: Stage, id: number) =>
  stage.progress(id, ({ round }) => round && round.pending + round.unknown + round.sending === 0, 60_000)

/** Everything that may be known of a girl: pays her, files a case about her, exports her, corrects her. */
export async function liveThrough(stage: Stage) {
  const { portal } = stage
  const { owner } = portal
  await portal.worker()
  await owner.query(
    "update users set first_name = $1, last_name = $2, date_of_birth = '2012-02-03' where id = (select user_id from students where student_code = $3)",
    [girl.first_name, girl.last_name, code],
  )
  const school = await portal.signedInAs('School Officer')
  const parents = {
    parent_assigned_id: guardian,
    first_name: 'Fatoumata',
    last_name: 'Coulibaly 1',
    contact_1: phone,
    students: code,
  }
  expect((await imported(school, 'parents', fileOf([parents]))).state).toBe('imported')
  const cohort = await stage.imported('Kayes, term 1', [
    recipient(1),
    recipient(2),
    recipient(3, { lastTwo: 2 }),
  ])
  expect((await stage.approve(cohort)).status).toBe(200)
  await settled(stage, cohort)
  const { rows } = await owner.query('select import_id from transfer_cohorts where id = $1', [cohort])
  const { filer, reviewer, fileCase } = await caseStage(portal)
  const { id, number } = await fileCase(filer, {
    title: `Nothing for ${girl.first_name}`,
    description: `The guardian of ${girl.first_name} ${girl.last_name} got nothing.`,
  })
  await fileCase(filer, {
    title: 'Another girl',
    description: 'SISSOKO Kadiatou, a namesake in Kita',
  })
  await reviewer.upload('/admin/cases/file', {
    complain_id: id,
    description: `Letter of ${girl.first_name}`,
    file: new File([new Uint8Array(pdf)], 'kadiatou.pdf'),
  })
  const send = machine(portal, await makeToken(portal))
  const message = report({ school_admin_code: 'KYS-001', class: '7A', absent: [code] })
  expect((await send({ messages: [message] })).status).toBe(202)
  const all = await portal.signedInAs('Administrator')
  const found = await all.get(`/admin/schools/students/list?search=${girl.last_name}`)
  const { id: student } = found.body.students.data[0]
  await all.get(`/admin/schools/students/${student}`)
  const asked = await all.post('/admin/schools/students/export', {})
  await until(async () => (await all.get(`/storage/exports/${asked.body.file_name}`)).status === 200)
  const { rows: cases } = await owner.query("select number from cases where title = 'Another girl'")
  const { rows: documents } = await owner.query('select id from case_documents')
  return {
    cohort,
    file: rows[0].import_id,
    number,
    document: documents[0].id,
    namesake: cases[0].number,
    message: message.id,
  }
}

/** Tables in which a text still stands, in any column. */
export async function tablesWith({ owner }: Portal, text: string): Promise<string[]> {
  const { rows } = await owner.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') order by 1",
  )
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const { rowCount } = await owner.query(
        `select from ${name} t where t::text ilike '%' || $1 || '%' limit 1`,
        [text],
      )
      return rowCount ? [name as string] : []
    }),
  )
  return found.flat()
}
