import { type NoticeKind, type NoticePreference, noticeDefaults } from '@portal/contracts/notices'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import { enqueue } from '../kit/jobs/jobs.ts'
import { mailJob } from './mail.service.ts'
import { mailSentences, noticeSentences } from './messages.ts'
import { receivers } from './notice-kinds.ts'
import { inBothLanguages, type Part } from './notifications.service.ts'

type Notice = {
  /** The id of the cohort or case; 0 for what has no row. */
  subject: number
  /** The page on which the person can act. */
  link: string
  /**
   * Tells apart what can happen to a subject more than once. A suffix behind a comma gives the same occasion a second notice;
   * `withdrawNotices` takes both.
   */
  occasion: string
  /** Fill `{0}`, `{1}`… of the kind's sentences. */
  parts: Part[]
  /** Who did it, and needs no notice; null if the portal or an outsider did. */
  by: number | null
  /** SQL: the ids of others who get none. */
  except?: RawBuilder<unknown>
}

const nobody = sql`select null::bigint`

/**
 * Tells whoever must act, in the caller's transaction: on the bell, and by mail as each person prefers. The same notice
 * is written once for a person, whoever asks for it how often (Messages 4.4).
 */
export async function giveNotice(tx: Tx, kind: NoticeKind, notice: Notice): Promise<void> {
  await writeNotices(tx, {
    ...notice,
    kind,
    text: inBothLanguages(noticeSentences[kind], notice.parts),
    mailText: inBothLanguages(mailSentences[kind] ?? noticeSentences[kind], notice.parts),
    usual: noticeDefaults[kind],
    receivers: receivers[kind](notice.subject),
  })
}

/** SQL: whether anybody who must act on this subject has not been told of the occasion yet. */
export const isUntold = (
  kind: NoticeKind,
  subject: RawBuilder<number>,
  occasion: RawBuilder<string>,
): RawBuilder<boolean> => sql`exists (
  select from (${receivers[kind](subject)}) r (id) join users u on u.id = r.id and u.account and u.deactivated_at is null
  where not exists (select from notifications n
      where n.kind = ${kind} and n.subject_id = ${subject} and n.user_id = u.id and n.occasion = ${occasion}))`

type Written = Omit<Notice, 'parts'> & {
  /** A kind of the portal, or the name of the module whose notice it is. */
  kind: string
  /** The sentences in both languages, as JSON. */
  text: string
  mailText: string
  /** What holds for people who have not chosen. */
  usual: NoticePreference
  /** SQL: the ids of the people it is for. */
  receivers: RawBuilder<unknown>
}

/** Writes a notice for each of its receivers, with the mails that leave at once. Returns how many people got it. */
export async function writeNotices(tx: Tx, notice: Written): Promise<number> {
  const { kind, subject, link, occasion, text, mailText, by, except } = notice
  const { bell, mail } = notice.usual
  // An invited person finds the notice after the first sign-in, and gets no mail before it.
  const { rows } = await sql<{ id: number; mail: string }>`
    insert into notifications (user_id, text, mail_text, link, kind, subject_id, occasion, bell, mail)
    select u.id, ${text}::jsonb, ${mailText}::jsonb, ${link}, ${kind}, ${subject}::bigint, ${occasion}, coalesce(p.bell, ${bell}),
      case when u.email is null or u.password_hash is null then 'off' else coalesce(p.mail, ${mail}) end
    from users u left join notice_preferences p on p.user_id = u.id and p.kind = ${kind}
    where u.account and u.deactivated_at is null and u.id is distinct from ${by}::bigint
      and u.id in (${notice.receivers})
      and not exists (select from (${except ?? nobody}) e (id) where e.id = u.id)
    order by u.id
    on conflict (kind, subject_id, user_id, occasion) do nothing
    returning id, mail`.execute(tx)
  await mailAtOnce(
    tx,
    rows.filter((row) => row.mail === 'at-once').map(({ id }) => id),
  )
  return rows.length
}

/**
 * Takes the notices of an occasion off every bell, because their reason is gone. Those that wait for a mail of the day
 * are not mailed; a mail that was queued leaves. Notices of the same occasion with a suffix are withdrawn with them.
 */
export async function withdrawNotices(
  tx: Tx,
  kind: NoticeKind,
  occasion: string,
  subject: number | null = null,
): Promise<void> {
  await sql`
    update notifications set ${offTheBell}
    where kind = ${kind} and (occasion = ${occasion} or starts_with(occasion, ${`${occasion},`}))
      and (${subject}::bigint is null or subject_id = ${subject})`.execute(tx)
}

/**
 * The same for everything that asked anybody to act on a subject, of several kinds: because it is done, or because it is another
 * person's now.
 */
export async function withdrawRequests(tx: Tx, kinds: readonly NoticeKind[], subject: number): Promise<void> {
  await sql`
    update notifications set ${offTheBell} where kind = any(${kinds}::text[]) and subject_id = ${subject}`.execute(
    tx,
  )
}

const offTheBell = sql`bell = false, mail = case when digest_id is null and mail = 'digest' then 'off' else mail end`

/** Queues the mails of notices in the same transaction. Their texts are made from the notice when they are sent. */
async function mailAtOnce(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: number }>`
    insert into mails (recipient, subject, notification_id)
    select u.email, n.mail_text->>coalesce(u.locale, 'fr'), n.id
    from notifications n join users u on u.id = n.user_id where n.id = any(${ids}::bigint[]) order by n.id
    returning id`.execute(tx)
  for (const { id } of rows) await enqueue(tx, mailJob, { id })
}
