import { expect } from 'vitest'
import type { Answer, Client } from '../client.ts'
import { meals } from '../modules/meal-stage.ts'
import { type Portal, until } from '../portal.ts'
import { fileOf, student } from '../registers/registers.ts'
import { filesOf } from './random-stage.ts'

const transfers = '/admin/transfers'
const reason = 'Two families ask for the same girl'
function ok(answer: Answer): Answer {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer
}

/** Rows of the lists that are empty in the demo, made by calls as far as calls can make them. */
export async function fillLists(portal: Portal, person: Client & { user: { id: number } }) {
  const { owner } = portal
  const files = await filesOf(portal, person)
  const { rows: girls } = await owner.query(
    `select m.student_id::int as student, m.id::int as recipient, g.id::int as round, p.id::int as payment, a.id::int as attempt
     from transfer_payrolls p join transfer_master_list m on m.id = p.master_list_id join payment_attempts a on a.payroll_id = p.id
       join transfer_payroll_groups g on g.id = p.payroll_group_id where p.status = 'failed' and p.receiver_phone_number like '+223%' and p.written_off_at is null order by p.id desc limit 2`,
  )
  const [girl, other] = girls
  ok(await person.post(`${transfers}/payee-holds`, { student_id: girl.student, reason }))
  ok(
    await person.post(`${transfers}/master-list/${other.recipient}/corrections`, {
      receiver_phone_number: '+22379000110',
      reason,
    }),
  )
  const { rows: teachers } = await owner.query('select max(id)::int as id from teachers')
  ok(await person.post(`/admin/people/teacher/${teachers[0].id}/erasures`, { reason }))
  ok(await person.post(meals, { data: { school: 'Coura', weighed: 12, dish: 'rice' } }))
  const error = { kind: 'error', module: 'mfe-meals', version: '1.0.0', build: 'x', reason: 'contract' }
  ok(
    await person.post('/modules/reports', {
      reports: [{ ...error, reference: 'R-1', message: 'No rice', path: '/meals' }],
    }),
  )
  const imported = ok(
    await person.upload('/admin/schools/students/import?review=1', {
      school_students_file: fileOf([student(1), student(2)]),
    }),
  )
  const { rows: agencies } = await owner.query('select min(id)::int as id from transfer_agencies')
  const stated = ok(
    await person.upload(`${transfers}/statements`, {
      statement_file: files('statement_file', 1),
      transfer_agency_id: agencies[0].id,
      from: '2020-01-01',
      to: '2020-01-31',
    }),
  )
  const stop = await portal.worker()
  const isRead = async (path: string, key: string) =>
    !['queued', 'reading'].includes((await person.get(path)).body[key].state)
  await until(() => isRead(`/imports/${imported.body.import.id}`, 'import'))
  await until(() => isRead(`${transfers}/statements/${stated.body.statement.id}`, 'statement'))
  await stop()
  // Only an agency that contradicts itself, a lost database and a letter of an agency make these.
  await owner.query(
    `with h as (insert into sending_holds (reasons, known_until) values ('{behind}', now()) returning id),
      d as (insert into sending_hold_differences (hold_id, agency_id, kind, payroll_id, key, reference, phone, state)
        select id, ${agencies[0].id}, 'unknown_here', null, 'key-1', 'lost-cohort-1', '+22370000001', 'success' from h),
      e as (insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
        values (${girl.payment}, ${girl.attempt}, 'contradiction', 'failed', 'success'))
     insert into notifications (user_id, text) values (${person.user.id}, '{"en": "Look at this", "fr": "Regardez ceci"}')`,
  )
  await owner.query(
    `begin; set local session_replication_role = replica;
     insert into payment_settlements (attempt_id, outcome, reason, user_id, document_id)
       select ${other.attempt}, 'not_paid', '${reason}', ${person.user.id}, file_id from case_documents limit 1;
     commit`,
  )
}
