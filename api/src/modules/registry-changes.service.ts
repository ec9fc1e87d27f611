import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import type { Actor } from '../kit/session.ts'

/** Who changes the registry, as its log says it. */
export const administrator = ({ first_name, last_name }: Actor) => `administrator ${first_name} ${last_name}`

/**
 * A transaction with a change of the registry in it. It may be idle for as long as a slow store needs: if the database ended
 * it meanwhile, as it ends a call's, the change would hold and its audit row would be gone.
 */
export const changingRegistry = <T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx)
    return act(tx)
  })
