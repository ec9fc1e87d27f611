import type { Undelivered } from '@portal/contracts/cases'
import { type RawBuilder, sql } from 'kysely'
import { type InviteNews, mailJob } from '../home/mail.service.ts'
import { giveNotice, withdrawNotices } from '../home/notices.service.ts'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import { isUnderWay } from '../kit/jobs/jobs.ts'
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
  const { rows: noted } = await sql<{ before: Undelivered | null }>`
    with before as (select undelivered from referrals where id = ${referralId})
    update referrals r set undelivered = ${why} where r.id = ${referralId} and ${isOpen} and ${still}
    returning (select undelivered from before) as before`.execute(tx)
  // A letter that was sent again in vain is no news.
  if (asked && noted[0]?.before === null) await tellReviewer(tx, asked, why, undeliveredOccasion(referralId))
}

type Asked = { id: number; number: string }

const tellReviewer = (tx: Tx, { id, number }: Asked, why: Undelivered, occasion: string) =>
  giveNotice(tx, 'expert-answered', {
    subject: id,
    link: casePage(id),
    occasion,
    parts: [number, ends[why]],
    by: null,
  })

/**
 * Tells the new reviewer of a locked case that its request did not reach the expert, by the event that assigned it: whoever is given
 * the case back is told again.
 */
export async function tellOfUndelivered(tx: Tx, asked: Asked, event: number): Promise<void> {
  const { rows: waiting } = await sql<{ id: number; undelivered: Undelivered }>`
    select id, undelivered from referrals where case_id = ${asked.id} and undelivered is not null and ${isOpen}
  `.execute(tx)
  for (const { id, undelivered } of waiting)
    await tellReviewer(tx, asked, undelivered, `${undeliveredOccasion(id)}, assigned ${event}`)
}

/** Tells of letters that were lost with the worker of their last try. A worker runs it periodically. */
export async function tellOfLostLetters(db: Db): Promise<void> {
  const lost = await rows(
    db,
    sql<{ id: number }>`select r.id from referrals r where ${isOpen} and ${isLost} order by r.id limit 100`,
  )
  for (const { id } of lost) await transaction(db, (tx) => noteUndelivered(tx, id, 'not_taken', isLost))
}
