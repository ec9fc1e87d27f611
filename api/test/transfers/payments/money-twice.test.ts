import { afterAll, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { atItsEnd, bothAtOnce } from '../../at-once.ts'
import { file, pdf } from '../../cases/case-stage.ts'
import type { Answer } from '../../client.ts'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'
import { pain002, tx } from '../banks/answers.ts'
import { accountHolder, addBank, bankList, sentFile } from '../banks/bank.ts'
import { type Entry as Paid, path as retryPath, startRetries } from './retries.ts'

type Entry = Paid & { master_list_id: number; student_id: number }
/** A button in the state in which it works, and how often its thing was done. */
type Button = { press: () => PromiseLike<Answer>; done: () => Promise<number> }

/* Acts about money that need things in a state of their own, so that calls made up at random never succeed in them. */
const second = await startAgency()
afterAll(() => second.close())
const stage = await startRetries({ agencyHosts: [second.host] })
const { portal, agency, officer, approver, imported, approve, ending, settled, paid, progress } = stage
const { owner } = portal
const colleague = await portal.signedInAs('Transfer Officer')
const bank = await addBank(portal)
const { rows: others } = await owner.query(
  `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
   select 'Second', 'Second', type, country, fees, $1, protocol, details, user_id from transfer_agencies where id = 1 returning id::int`,
  [second.url],
)
const transfers = '/admin/transfers'
const cohorts = `${transfers}/cohorts`
const reason = 'The guardian came to the office'

const ok = (answer: Answer) => expect(answer.status, JSON.stringify(answer.body)).toBe(200)
const count = async (sql: string, values: unknown[] = []) =>
  Number((await owner.query(`select count(*) as n from ${sql}`, values)).rows[0].n)
const latest = async (table: string) =>
  Number((await owner.query(`select max(id) as id from ${table}`)).rows[0].id)

/** A payment that the agency refused. */
async function refused(name: string) {
  const { id, entries } = await paid(name, 2)
  return { id, girl: entries[0] as Entry }
}
/** A payment of which the agency never says what became of it. */
async function unknown(name: string) {
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await imported(name, ending(32))
  ok(await approve(id))
  await progress(id, ({ round }) => round?.unknown === 1)
  return { id, girl: (await stage.payments(id))[0] as Entry }
}
const letter = (girl: Entry) =>
  officer.upload(`${transfers}/payments/${girl.id}/settlements`, {
    outcome: 'not_paid',
    reason,
    file: file('letter.pdf', pdf),
  })
async function statement(text: string, agencyId = 1) {
  const sent = await officer.upload(`${transfers}/statements`, {
    statement_file: new File([`Client reference;Amount;Date\r\n${text}`], 'lines.csv'),
    transfer_agency_id: agencyId,
    from: '2020-01-01',
    to: '2020-01-31',
  })
  const at = `${transfers}/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(at)).body.statement.state === 'open')
  return { at, id: sent.body.statement.id as number }
}
const dated = (name: string) => imported(name, ending(10), { from: dayFromNow(-40), to: dayFromNow(20) })

const buttons: Record<string, () => Promise<Button>> = {
  'approves a cohort': async () => {
    const id = await imported('Approved', ending(10))
    return {
      press: () => approve(id),
      done: () => count("transfer_cohorts where id = $1 and status = 'approved'", [id]),
    }
  },
  'starts a missed round': async () => {
    const id = await dated('Missed')
    ok(await approve(id))
    await settled(id)
    return {
      press: () => approver.post(`${cohorts}/${id}/rounds/1/start`),
      done: () =>
        count("transfer_rounds where cohort_id = $1 and n = 1 and state not in ('planned', 'missed')", [id]),
    }
  },
  'makes a payment again': async () => {
    const { girl } = await refused('Again')
    await stage.correct(girl)
    return {
      press: () => approver.post(retryPath, { payroll_ids: [girl.id] }),
      done: () => count('payment_attempts where payroll_id = $1 and n > 1', [girl.id]),
    }
  },
  'writes a payment off': async () => {
    const { girl } = await refused('Written off')
    return {
      press: () => approver.post(`${transfers}/arrears/write-off`, { payroll_ids: [girl.id], reason }),
      done: () => count('transfer_payrolls where id = $1 and written_off_at is not null', [girl.id]),
    }
  },
  'closes an exception': async () => {
    const { girl } = await refused('Contradicted')
    await owner.query(
      `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
       select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
      [girl.id],
    )
    const id = await latest('payment_exceptions')
    return {
      press: () =>
        approver.post(`${transfers}/exceptions/${id}/close`, { decision: 'status_stands', reason }),
      done: () => count('payment_exceptions where id = $1 and resolved', [id]),
    }
  },
  'closes a cohort': async () => {
    const { id } = await paid('Closed', 10)
    return {
      press: () => approver.post(`${cohorts}/${id}/close`, { reason }),
      done: () => count('cohort_closings where cohort_id = $1', [id]),
    }
  },
  'proposes what became of a payment': async () => {
    const { girl } = await unknown('Proposed')
    return {
      press: () => letter(girl),
      done: () =>
        count(
          'payment_settlements s join payment_attempts a on a.id = s.attempt_id where a.payroll_id = $1',
          [girl.id],
        ),
    }
  },
  'approves what became of a payment': async () => {
    const { girl } = await unknown('Settled')
    ok(await letter(girl))
    // As long ago as calls to the agency last at most.
    await owner.query(
      `begin; set local session_replication_role = replica;
       update payment_settlements set created_at = created_at - interval '3 minutes'; commit`,
    )
    const id = await latest('payment_settlements')
    return {
      press: () => approver.post(`${transfers}/settlements/${id}/decide`, { action: 'approved' }),
      done: () => count("transfer_payrolls where id = $1 and status = 'failed'", [girl.id]),
    }
  },
  'approves another number': async () => {
    const { girl } = await refused('Corrected')
    ok(
      await officer.post(`${transfers}/master-list/${girl.master_list_id}/corrections`, {
        receiver_phone_number: '+22379000110',
        reason,
      }),
    )
    const id = await latest('recipient_corrections')
    return {
      press: () => approver.post(`${transfers}/corrections/${id}/decide`, { action: 'approved' }),
      done: () =>
        count("recipient_corrections where master_list_id = $1 and state = 'approved'", [
          girl.master_list_id,
        ]),
    }
  },
  'approves another agency': async () => {
    const { id } = await refused('Moved')
    ok(await officer.post(`${cohorts}/${id}/move`, { transfer_agency_id: others[0].id, reason }))
    const move = await latest('cohort_moves')
    return {
      press: () => approver.post(`${transfers}/cohort-moves/${move}/decide`, { action: 'approved' }),
      done: () => count('transfer_cohorts where id = $1 and transfer_agency_id = $2', [id, others[0].id]),
    }
  },
  'signs a statement': async () => {
    const { at, id } = await statement(`X-${Date.now()};500;2020-01-05`)
    ok(await colleague.post(`${at}/resolve`, { category: 'theirs', reason }))
    const { version } = (await officer.get(at)).body.statement
    return {
      press: () => approver.post(`${at}/sign`, { version }),
      done: () => count("agency_statements where id = $1 and state = 'closed'", [id]),
    }
  },
  'makes the file of a bank': async () => {
    const { body } = await stage.upload(bankList([accountHolder(150)]), {
      name: 'For a bank',
      transfer_agency_id: bank,
    })
    await stage.ended(body.import.id)
    ok(await approve(body.cohort.id))
    const { round } = await progress(body.cohort.id, (now) => now.round?.pending === 1)
    const page = `${cohorts}/payroll/${round.id}/bank-files`
    return {
      press: () => approver.post(page, { payments: 1, amount: 10_500 }),
      done: () => count('bank_files where payroll_group_id = $1', [round.id]),
    }
  },
  'uploads what a bank answered': async () => {
    const { cohort, message, names } = await sentFile(stage, bank, 'Answered', [151])
    return {
      press: () =>
        officer.upload(`${transfers}/bank-answers`, {
          answer_file: pain002(message, tx(names[0], 'ACSC')),
        }),
      done: async () => (await progress(cohort, ({ round }) => round)).round.success,
    }
  },
  'makes a cohort of a selection': async () => {
    await owner.query(`
      with u as (insert into users (first_name, last_name) values ('Fatoumata', 'Guardian') returning id),
        p as (insert into parents (user_id, parent_assigned_id, contact_1) select id, 'G-1', '+22376000004' from u returning id)
      insert into parent_students (parent_id, student_id) select p.id, (select max(id) from students) from p`)
    const form = { name: 'Of the register', description: 'Term 2', from: dayFromNow(0), to: dayFromNow(27) }
    const of = { transfer_agency_id: 1, transfer_parameter_id: 1, country: 'ml', guardian: 'yes' }
    return {
      press: () => officer.post(`${transfers}/target-selection/cohort`, { ...form, ...of, not_held: 'yes' }),
      done: () => count("transfer_cohorts where name = 'Of the register'"),
    }
  },
  'releases sending': async () => {
    await owner.query("insert into sending_holds (reasons, known_until) values ('{behind}', now())")
    const at = `${transfers}/sending-hold`
    await until(async () => {
      const { hold } = (await approver.get(at)).body
      for (const round of hold?.rounds ?? [])
        if (round.failure && !round.confirmed) await approver.post(`${at}/rounds/${round.id}/confirm`)
      return hold?.barred === null
    })
    return {
      press: () => approver.post(`${at}/release`),
      done: () => count('sending_holds where released_at is not null'),
    }
  },
}

test.each(Object.entries(buttons))(
  'a person who %s presses the button twice at once and once more: it is done once',
  { timeout: 60_000 },
  async (_, given) => {
    const { press, done } = await given()
    expect(await done()).toBe(0)
    const answers = [...(await bothAtOnce(portal, atItsEnd, press, press)), await press()]
    const audited = await count(
      "(select request_id from audits where request_id = any($1) and event <> 'refused' group by 1) x",
      [answers.map(({ headers }) => headers['x-request-id'])],
    )
    expect(
      [answers[0]?.status, audited, await done()],
      JSON.stringify(answers.map(({ status, body }) => [status, body])),
    ).toEqual([200, 1, 1])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect((await verifyLedger(portal.db)).faults).toEqual([])
  },
)

test('after all that no recipient was paid twice', async () => {
  const lines = [...(await agency.ledger()), ...(await second.ledger())]
  const moved = Map.groupBy(lines, ({ reference }) => reference)
  const twice = [...moved].filter(([, of]) => of.reduce((sum, { executed }) => sum + executed, 0) > 1)
  expect([twice, moved.size > 5]).toEqual([[], true])
})
