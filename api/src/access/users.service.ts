import type { users as calls, User, UserCreate } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/access/users.fields'
import type { QueryOf } from '@portal/contracts/endpoint'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { conflict, constraintFault, invalid, notFound } from '../kit/http/refusals.ts'
import { sendOnce } from '../kit/http/sent-forms.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { say } from './messages.ts'
import { sendInvitation } from './password-links.service.ts'

// Of two concurrent callers with the same address the second gets this sentence.
constraintFault('users_email_key', 'email', say.emailTaken)

const byName = (column: string) => sql.raw(`${column} collate "fr-x-icu"`)

const fields = sql.join(
  Object.keys(accountFields).map((name) => sql`u.${sql.id(name)}`),
  sql`, `,
)
/** SQL: the accounts `u` of a status of the list. An invited person has no password yet. */
const withStatus = {
  active: sql`u.deactivated_at is null`,
  invited: sql`(u.email is not null and u.password_hash is null and u.deactivated_at is null)`,
  inactive: sql`u.deactivated_at is not null`,
}
const columns = sql`u.id, ${fields}, u.deactivated_at, ${withStatus.active} as active,
  ${withStatus.invited} as invited, u.version,
  (select l.amount from approval_limits l where l.user_id = u.id) as approval_limit,
  coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name)
    from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id), '[]') as roles`

/** Lists accounts, with the counts of the three cards. The default order is newest first. */
export async function listUsers(db: Db, query: QueryOf<typeof calls.list>) {
  const [list, counts] = await Promise.all([
    paged<User>(db, query, {
      columns,
      from: sql`users u`,
      where: [
        sql`u.account`,
        matches(sql`u.search`, query.search),
        query.status && withStatus[query.status],
        query.type && sql`u.type = ${query.type}`,
        query.role &&
          sql`exists (select from user_roles ur where ur.user_id = u.id and ur.role_id = ${query.role})`,
      ],
      sort: {
        first_name: byName('u.first_name'),
        last_name: byName('u.last_name'),
        email: sql`u.email`,
        created_at: sql`u.created_at`,
      },
      order: '-created_at',
      key: sql`u.id`,
    }),
    rows(
      db,
      sql<Record<keyof typeof withStatus | 'total', number>>`
        select count(*) filter (where ${withStatus.active}) as active, count(*) filter (where ${withStatus.invited}) as invited,
          count(*) filter (where ${withStatus.inactive}) as inactive, count(*) as total from users u where account
      `,
    ),
  ])
  const { active = 0, invited = 0, inactive = 0, total = 0 } = counts[0] ?? {}
  return { users: list, active, invited, inactive, total }
}

/** Returns an account with the columns of the list, or throws 404. */
export async function readUser(db: Reader, id: number): Promise<User> {
  const [user] = await rows(db, sql<User>`select ${columns} from users u where u.id = ${id} and u.account`)
  if (!user) throw notFound()
  return user
}

/** Writes fields of an account, and returns it as the list has it, in one statement. */
export async function writeUser(tx: Tx, id: number, fields: Record<string, unknown>): Promise<User> {
  const set = Object.entries(fields).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
  const { rows: written } = await sql<User>`
    update users u set ${sql.join([...set, sql`updated_at = now()`])} where u.id = ${id} returning ${columns}`.execute(
    tx,
  )
  if (!written[0]) throw notFound()
  return written[0]
}

/**
 * Makes an account, or turns the person of the registers with this e-mail into one. Anybody with an e-mail is invited.
 */
export async function createUser({ db, settings }: Context, actor: Actor, given: UserCreate) {
  return transaction(db, async (tx) => {
    await sendOnce(tx, actor)
    const person = given.email
      ? await tx
          .selectFrom('users')
          .selectAll()
          .where('email', '=', given.email)
          .forUpdate()
          .executeTakeFirst()
      : undefined
    if (person?.account) throw invalid({ email: say.emailTaken })
    const made = person
      ? await tx
          .updateTable('users')
          .set({
            // The register's values stay; the form fills only those that are missing.
            gender: person.gender ?? given.gender,
            type: person.type ?? given.type,
            user_title: person.user_title ?? given.user_title,
            account: true,
            deactivated_at: null,
            updated_at: sql`now()`,
          })
          .where('id', '=', person.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('users')
          .values({ ...given, account: true, user_id: actor.id })
          .returning('id')
          .executeTakeFirstOrThrow()
    const user = await readUser(tx, made.id)
    const { first_name, last_name, email, gender, type, user_title } = user
    await audit(tx, actor, 'created', 'user', made.id, {
      new: { first_name, last_name, email, gender, type, user_title },
    })
    if (email) await sendInvitation(tx, settings, actor, made.id)
    return { message: person ? say.personInvited : email ? say.userInvited : say.userCreated, user }
  })
}

/** Sends another invitation to whoever has not followed the first. */
export async function inviteAgain({ db, settings }: Context, actor: Actor, id: number) {
  await transaction(db, async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    if (!(await readUser(tx, id)).invited) throw conflict(say.notInvited)
    await sendInvitation(tx, settings, actor, id)
  })
}
