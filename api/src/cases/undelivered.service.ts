import type { Undelivered } from '@portal/contracts/cases'
import { type RawBuilder, sql } from 'kysely'
import { type InviteNews, mailJob } from '../home/mail.service.ts'
import { giveNotice, withdrawNotices } from '../home/notices.service.ts'
import { type Db, rows, type Tx, transaction } from '../kit/db.ts'
import { isUnderWay } from '../kit/jobs.ts'
import { ends } from './messages.ts'
import { casePage } from './pages.ts'
import { isOpen, undeliveredOccasion } from './referrals.service.ts'

/** SQL: whether no job will send the letter of consultation `r`: a worker that is killed on the last try leaves none. */
const isLost = sql<boolean>`r.undelivered is null and exists (
  select from mails m where m.referral_id = r.id and m.state <> 'sent' and not ${isUnderWay([mailJob], sql`m.id`)})`

/** The reviewer reads on the case and the bell that an expert did not get the link, until the letter is sent after all (Cases 4.7). */
export const inviteNews: InviteNews = {
  async delivered(tx, referralId) {
    const asked = await lockCaseOf(tx, referralId)
    if (!asked) return
    await sql`update referrals set undelivered = null where id = ${referralId}`.execute(tx)
    await withdrawNotices(tx, 'expert-answered', undeliveredOccasion(referralId), asked.id)
  },
  undelivered: (tx, referralId, why) => noteUndelivered(tx, referralId, why),
}

/** Locks the case of a consultation before its letter, in the order of everybody who ends one. */
async function lockCaseOf(tx: Tx, referralId: number) {
  const { rows: cases } = await sql<Asked>`
    select id, number from cases where id = (select case_id from referrals where id = ${referralId}) for update`.execute(
    tx,
  )
  return cases[0]
}

/** Notes why a letter did not reach its expert, unless the consultation has ended. Its reviewer is told once. */
async function noteUndelivered(
  tx: Tx,
  referralId: number,
  why: Undelivered,
  still: RawBuilder<boolean> = sql`true`,
): Promise<void> {
  const asked = await lockCaseOf(tx, referralId)
  const { numAffectedRows } = await sql`
    update referrals r set undelivered = ${why} where r.id = ${referralId} and ${isOpen} and ${still}`.execute(
    tx,
  )
  if (asked && numAffectedRows) await tellReviewer(tx, asked, referralId, why)
}

type Asked = { id: number; number: string }

const tellReviewer = (tx: Tx, { id, number }: Asked, referralId: number, why: Undelivered) =>
  giveNotice(tx, 'expert-answered', {
    subject: id,
    link: casePage(id),
    occasion: undeliveredOccasion(referralId),
    parts: [number, ends[why]],
    by: null,
  })

/** Tells a new reviewer of a locked case that its request did not reach the expert. */
export async function tellOfUndelivered(tx: Tx, asked: Asked): Promise<void> {
  const { rows: waiting } = await sql<{ id: number; undelivered: Undelivered }>`
    select id, undelivered from referrals where case_id = ${asked.id} and undelivered is not null and ${isOpen}
  `.execute(tx)
  for (const { id, undelivered } of waiting) await tellReviewer(tx, asked, id, undelivered)
}

/** Tells of letters that were lost with the worker of their last try. A worker runs it periodically. */
export async function tellOfLostLetters(db: Db): Promise<void> {
  const lost = await rows(
    db,
    sql<{ id: number }>`select r.id from referrals r where ${isOpen} and ${isLost} order by r.id limit 100`,
  )
  for (const { id } of lost) await transaction(db, (tx) => noteUndelivered(tx, id, 'not_taken', isLost))
}
