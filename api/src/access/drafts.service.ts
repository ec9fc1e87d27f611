import type { Draft, DraftContent } from '@portal/contracts/drafts'
import { sql } from 'kysely'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { signedOut } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveSession } from '../kit/http/session-rows.ts'
import type { Context } from '../kit/process/context.ts'
import { open, seal } from '../kit/secrets/seal.ts'

type Sealed = Pick<Context, 'db' | 'settings'>

/** A session keeps so many drafts; with another one the oldest goes. */
export const draftsPerSession = 20

/** Returns what the actor typed in this form in this session, or null. */
export async function readDraft({ db, settings }: Sealed, actor: Actor, form: string): Promise<Draft | null> {
  const [draft] = await rows(
    db,
    sql<{ content: Buffer; saved_at: string }>`
      select content, saved_at from drafts where session_id = ${actor.session_id} and form = ${form}`,
  )
  if (!draft) return null
  const content = JSON.parse(open(settings.secret, draft.content)) as DraftContent
  return { ...content, saved_at: draft.saved_at }
}

/**
 * Keeps what the actor has typed, over what this form had before. There is no audit row: nothing of the programme has
 * changed, and what was typed must not outlive the session.
 */
export async function keepDraft({ db, settings }: Sealed, actor: Actor, form: string, typed: DraftContent) {
  const content = seal(settings.secret, JSON.stringify(typed))
  const session = actor.session_id
  await transaction(db, async (tx) => {
    // The lock lets drafts be counted, and none comes after the session's end.
    const { rows: open } = await sql`
      select from sessions where id = ${session} and ended_at is null for no key update`.execute(tx)
    if (!open.length) throw signedOut()
    await sql`
      insert into drafts (session_id, form, content) values (${session}, ${form}, ${content})
      on conflict (session_id, form) do update set content = excluded.content, saved_at = excluded.saved_at
    `.execute(tx)
    await sql`
      delete from drafts where session_id = ${session} and form in (
        select form from drafts where session_id = ${session} order by saved_at desc offset ${draftsPerSession})
    `.execute(tx)
  })
}

/** Deletes what was typed: it was sent or discarded. */
export async function dropDraft(db: Db, actor: Actor, form: string) {
  await sql`delete from drafts where session_id = ${actor.session_id} and form = ${form}`.execute(db)
}

/** Deletes the drafts of sessions that ended because nobody used them. */
export async function forgetDrafts(db: Db) {
  await sql`delete from drafts d using sessions s where s.id = d.session_id and not ${liveSession}`.execute(
    db,
  )
}
