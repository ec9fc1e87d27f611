import type pg from 'pg'

/**
 * Moves the failed attempts a minute ahead. Then a limit that is reached holds for the next call, however long the calls
 * before it have taken.
 */
export const makeLimitsFirm = (owner: pg.Pool) =>
  owner.query("update failed_attempts set created_at = now() + interval '1 minute'")
