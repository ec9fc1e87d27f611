import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caseStage, expert, pdf } from '../cases/case-stage.ts'
import { recipient, startStage } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { settled, tablesWith } from '../registers/known-girl.ts'
import { fileOf, imported, student } from '../registers/registers.ts'
import { machine, makeToken, report } from '../sync/sync.ts'

const stage = await startStage(8)
const { portal, officer, approver } = stage
const { owner, settings } = portal
await portal.worker()
const erase = (...words: string[]) => runCommand(settings, 'person-erase', words)
/** Stands in every text about her, and nowhere else. */
const mark = 'Zoumana'

/** Writes rows as they may stand there, although no call of this test made them. */
const written = (statements: string) =>
  owner.query(`begin; set local session_replication_role = replica; ${statements}; commit`)

const cohort = await stage.imported('Texts about her', [recipient(1), recipient(2), recipient(3)])
expect((await stage.approve(cohort)).status).toBe(200)
await settled(stage, cohort)
const { rows: paid } = await owner.query(
  `select p.id::int, a.id::int as attempt, m.id::int as listed, m.student_id::int as student, m.student_code as code
   from transfer_payrolls p join transfer_master_list m on m.id = p.master_list_id join payment_attempts a on a.payroll_id = p.id
   where m.cohort_id = $1 order by m.id`,
  [cohort],
)
const [her] = paid
const { filer, reviewer, fileCase } = await caseStage(portal)
const about = await fileCase(filer, { title: `About ${mark}`, description: `${mark} got nothing.` })
await reviewer.upload('/admin/cases/refer', { complain_id: about.id, ...expert, comment: `Is it ${mark}?` })
// A document that shows whether she was paid. It is no document of a case about her.
const elsewhere = await fileCase(filer, { title: 'Elsewhere' })
await reviewer.upload('/admin/cases/file', {
  complain_id: elsewhere.id,
  description: 'Her receipt',
  file: new File([new Uint8Array(pdf)], 'receipt.pdf'),
})
const send = machine(portal, await makeToken(portal))
const message = report({ school_admin_code: 'KYS-001', class: '7A', absent: [her.code] })
expect((await send({ messages: [message] })).status).toBe(202)

test('what an officer writes about a payment, a case or a message of a girl goes with her, and so do her health and her class', async () => {
  const by = officer.user.id
  await written(`
    update cases set status = 'resolved', decided_at = now(), verdict = '${mark}', plaintiff = '${mark}' where id = ${about.id};
    update referrals set resolved_at = now() where case_id = ${about.id};
    insert into referral_notes (referral_id, note) select id, '${mark}' from referrals where case_id = ${about.id};
    insert into case_events (case_id, status, note, user_id) values (${about.id}, 'open', '${mark}', ${by});
    insert into payee_holds (student_id, reason, user_id, released_at, released_by)
      values (${her.student}, '${mark}', ${by}, now(), ${approver.user.id});
    insert into payment_settlements (attempt_id, outcome, reason, state, user_id, decided_by, decided_at, document_id)
      select ${her.attempt}, 'not_paid', '${mark}', 'refused', ${by}, ${approver.user.id}, now(), file_id from case_documents where case_id = ${elsewhere.id};
    insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered, resolved, decision, decision_reason, decided_by, decided_at)
      values (${her.id}, ${her.attempt}, 'recipient', '${mark} 1', '${mark} 2', true, 'status_stands', '${mark}', ${approver.user.id}, now());
    insert into sending_holds (reasons, known_until, released_at, released_by) values ('{behind}', now(), now(), ${approver.user.id});
    insert into sending_hold_differences (hold_id, agency_id, kind, payroll_id, key, phone, state)
      select max(id), 1, 'differs', ${her.id}, 'a key', '${mark}', 'success' from sending_holds;
    insert into recipient_corrections (master_list_id, user_id, state, old_values, new_values, reason, decided_by, decided_at)
      values (${her.listed}, ${by}, 'refused', '{"receiver_first_name": "Awa"}', '{"receiver_first_name": "${mark}"}', '${mark}',
        ${approver.user.id}, now());
    update synced_messages set error = '{"en": "${mark}", "fr": "${mark}"}' where message_id = '${message.id}';
    update students set maternal_status = 'pregnant', language_spoken = '${mark}', start_date = '2025-10-01', disability_vision = 'cannot_do',
      disability_hearing = 'cannot_do', disability_mobility = 'cannot_do', disability_cognition = 'cannot_do', disability_selfcare = 'cannot_do',
      disability_communication = 'cannot_do', disability_other = 'cannot_do', current_class_level = '${mark}', admission_number = '${mark}',
      student_assigned_id = '${mark}', academic_year = '${mark}' where id = ${her.student}`)
  const places = [
    'cases',
    'case_events',
    'payee_holds',
    'payment_exceptions',
    'payment_settlements',
    'recipient_corrections',
    'referral_notes',
    'referrals',
    'sending_hold_differences',
    'students',
    'synced_messages',
  ].map((table) => `public.${table}`)
  expect(await tablesWith(portal, mark)).toEqual(expect.arrayContaining(places))

  expect(await erase('--student', her.code, '--case', about.number)).toMatchObject({ code: 0, err: '' })
  expect(await tablesWith(portal, mark)).toEqual([])
  const { rows: documents } = await owner.query(
    `select f.name, f.dropped_at is not null as dropped from case_documents d join files f on f.id = d.file_id where d.case_id = $1`,
    [elsewhere.id],
  )
  expect(documents).toEqual([{ name: '—', dropped: true }])
  const { rows } = await owner.query('select * from students where id = $1', [her.student])
  const { id, user_id, school_id, student_code, person, search, version, created_at, ...rest } = rows[0]
  expect(student_code).toBe(`erased-${id}`)
  expect(Object.values(rest).filter((value) => value !== null)).toEqual([])
})

test('an owner exports a girl although the content of a document of her case was deleted after its time', async () => {
  const { id, number } = await fileCase(filer, { title: 'With documents' })
  for (const name of ['kept.pdf', 'gone.pdf'])
    await reviewer.upload('/admin/cases/file', {
      complain_id: id,
      description: name,
      file: new File([new Uint8Array(pdf)], name),
    })
  await owner.query("update files set dropped_at = now() where name = 'gone.pdf'")
  const to = join(settings.dataDir, 'with-documents')
  const made = await runCommand(settings, 'person-export', [
    '--student',
    paid[1].code,
    '--case',
    number,
    '--to',
    to,
  ])
  expect(made).toMatchObject({ code: 0 })
  expect(readdirSync(join(to, 'documents')).map((name) => name.replace(/^\d+-/, ''))).toEqual(['kept.pdf'])
  expect(existsSync(join(to, 'person.xlsx'))).toBe(true)
  const { case_documents } = JSON.parse(readFileSync(join(to, 'person.json'), 'utf8'))
  expect(case_documents).toHaveLength(2)
})

test('a girl is not erased while an import with her row waits for its review, or an export for its worker', async () => {
  const code = paid[2].code
  const school = await portal.signedInAs('School Officer')
  const { id } = await imported(
    school,
    'students',
    fileOf([student(3, { student_code: code, admin_code: 'KYS-001' })]),
  )
  const becomes = (state: string) => written(`update imports set state = '${state}' where id = ${id}`)
  await becomes('review')
  expect((await erase('--student', code)).err).toContain(`The import ${id} (`)
  await becomes('imported')
  await owner.query(
    `insert into exports (user_id, kind, params, locale, file_name) values ($1, 'students', '{}', 'en', 'waits.xlsx')`,
    [officer.user.id],
  )
  // No job writes it, and workers note such an export as failed. While somebody else has the row, they wait.
  const holder = await owner.connect()
  await holder.query('begin; select from exports for update')
  expect((await erase('--student', code)).err).toContain('An export is being written')
  await holder.query('delete from exports; commit')
  holder.release()
  expect((await erase('--student', code)).code).toBe(0)
})
