import { randomBytes } from 'node:crypto'
import type { CaseAct } from '@portal/contracts/cases'
import { sql } from 'kysely'
import { nextCaseNumber } from '../cases/case-acts.service.ts'
import { addDocument } from '../cases/case-documents.service.ts'
import type { Tx } from '../kit/database/db.ts'
import { acceptDocument } from '../kit/files/document-file.ts'
import type { Storage } from '../kit/files/storage.ts'
import type { Accounts } from './accounts.seed.ts'
import { oneRow } from './bulk.ts'
import type { DemoCase, Referral } from './cases.seed.ts'
import { dayAfter, momentOf } from './days.ts'
import { writePaper } from './paper.ts'

/** Writes a case with its events, one after the other. */
export async function addCase(
  tx: Tx,
  storage: Storage,
  one: DemoCase,
  accounts: Accounts,
  today: string,
): Promise<void> {
  const filed = dayAfter(today, -one.filed)
  const times = moments(filed, one.minute)
  const opened = times.next()
  const number = await nextCaseNumber(tx, opened)
  const { id, channel_id } = await oneRow<{ id: number; channel_id: number }>(
    tx,
    sql`
    insert into cases (number, title, description, priority, type_id, channel_id, assigned_id, user_id, plaintiff, created_at)
    select ${number}, ${one.title}, ${one.description}, ${one.priority}, t.id, c.id,
      ${accounts.reviewer}, ${accounts[one.filer]}, ${one.plaintiff}, ${opened}
    from reference_values t, reference_values c
    where t.list = 'case_type' and t.code = ${one.type} and c.list = 'case_channel' and c.code = ${one.channel}
    returning id, channel_id`,
  )
  await sql`
    insert into case_tags (case_id, tag_id) select ${id}, id from reference_values
    where list = 'case_tag' and code = any(${one.tags}::text[])`.execute(tx)

  const tell = async (
    act: CaseAct,
    status: DemoCase['status'],
    note: string | null,
    by: number | null,
    channel: number | null = null,
    when = times.next(),
  ) => {
    await sql`
      insert into case_events (case_id, act, status, note, channel_id, user_id, created_at)
      values (${id}, ${act}, ${status}, ${note}, ${channel}, ${by}, ${when})`.execute(tx)
    return when
  }
  await tell('filed', 'new', null, accounts[one.filer], channel_id, opened)
  if (one.status === 'new') return
  const description = 'Note of the school'
  const noted = await tell('document', 'open', description, accounts.reviewer)
  const lines = [`${description}, case ${number}`, '', one.title, '', ...one.notes]
  const paper = await acceptDocument(storage, await writePaper(storage, `${number}.pdf`, lines))
  const document = await addDocument(tx, paper, {
    case_id: id,
    description,
    user_id: accounts.reviewer,
  })
  await sql`update case_documents set created_at = ${noted} where id = ${document}`.execute(tx)
  for (const note of one.notes) await tell('activity', 'open', note, accounts.reviewer, channel_id)
  if (one.referral) {
    const asked = await addReferral(tx, id, number, one.referral, accounts, tell)
    await sql`
      insert into referral_documents (referral_id, document_id) values (${asked}, ${document})`.execute(tx)
  }
  if (one.status === 'open' || one.status === 'in_progress') {
    await sql`update cases set status = ${one.status} where id = ${id}`.execute(tx)
    return
  }
  const decided = await tell(one.status, one.status, one.verdict, accounts.reviewer)
  await sql`
    update cases set status = ${one.status}, verdict = ${one.verdict}, decided_at = ${decided} where id = ${id}
  `.execute(tx)
}

type Tell = (
  act: CaseAct,
  status: DemoCase['status'],
  note: string | null,
  by: number | null,
) => Promise<string>

async function addReferral(
  tx: Tx,
  caseId: number,
  number: string,
  referral: Referral,
  accounts: Accounts,
  tell: Tell,
): Promise<number> {
  const sent = await tell('referred', 'in_progress', referral.comment, accounts.reviewer)
  // A random hash belongs to no invite, so nobody can open a referral of the demo.
  const { id } = await oneRow<{ id: number }>(
    tx,
    sql`
    insert into referrals (case_id, number, comment, salutation, first_name, last_name, email, profession, user_id, invite_hash,
      expires_at, created_at)
    values (${caseId}, ${number} || '-1', ${referral.comment}, ${referral.salutation},
      ${referral.first_name}, ${referral.last_name}, ${referral.email}, ${referral.profession}, ${accounts.reviewer},
      ${randomBytes(32)}, greatest(${sent}::timestamptz, now()) + interval '30 days', ${sent})
    returning id`,
  )
  if (!referral.end) return id
  const { kind, note } = referral.end
  const answered = await tell(kind === 'rejected' ? 'declined' : 'answered', 'open', note, null)
  await sql`
    update referrals set resolved_at = case when ${kind} = 'resolved' then ${answered}::timestamptz end,
      rejected_at = case when ${kind} = 'rejected' then ${answered}::timestamptz end
    where id = ${id}`.execute(tx)
  await sql`
    insert into referral_notes (referral_id, note, created_at) values (${id}, ${note}, ${answered})
  `.execute(tx)
  return id
}

/** Returns times from a minute of a day on, some hours apart, before five in the afternoon and never later than now. */
function moments(day: string, minute: number) {
  let at = Date.parse(momentOf(day, '00:00:00')) + minute * 60_000
  return {
    next() {
      const moment = new Date(Math.min(at, Date.now())).toISOString()
      at += 155 * 60_000
      // What would be later than five is done the next morning.
      if (at % 86_400_000 > 17 * 3_600_000) at += 15 * 3_600_000
      return moment
    },
  }
}
