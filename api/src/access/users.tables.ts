import { type SQL, sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytea, createdAt, id, instant, ref, searchText, version } from '../kit/columns.ts'

/** People: accounts, and the persons of the registers, who cannot sign in (Access 4.1). */
export const users = pgTable(
  'users',
  {
    id: id(),
    first_name: text('first_name').notNull(),
    last_name: text('last_name').notNull(),
    /** Lower case; null for a person without one, who cannot sign in (Access 4.2). */
    email: text('email'),
    gender: text('gender').$type<'male' | 'female'>(),
    type: text('type').$type<'teacher' | 'student' | 'partner' | 'developer'>(),
    user_title: text('user_title').$type<'mr' | 'mrs' | 'miss' | 'prof' | 'dr'>(),
    date_of_birth: date('date_of_birth', { mode: 'string' }),
    account: boolean('account').notNull().default(false),
    password_hash: text('password_hash'),
    deactivated_at: instant('deactivated_at'),
    locale: text('locale').$type<'en' | 'fr'>(),
    number_form: text('number_form').$type<'en-2' | 'fr-0'>().notNull().default('en-2'),
    /** Sealed; a secret without `totp_confirmed_at` is not asked for yet. */
    totp_secret: bytea('totp_secret'),
    totp_confirmed_at: instant('totp_confirmed_at'),
    /** The last time step a code was accepted for: no code works twice. */
    totp_last_step: bigint('totp_last_step', { mode: 'number' }),
    version: version(),
    user_id: ref('user_id'),
    created_at: createdAt(),
    updated_at: instant('updated_at').notNull().default(sql`now()`),
    search: searchText('search').generatedAlwaysAs(
      (): SQL =>
        sql`portal_search(first_name || ' ' || last_name || ' ' || first_name || ' ' || coalesce(email, ''))`,
    ),
  },
  (t) => [
    uniqueIndex('users_email_key').on(t.email),
    index('users_accounts_index').on(t.id).where(sql`account`),
    index('users_search_index').using('gin', t.search.op('gin_trgm_ops')),
    index('users_user_id_index').on(t.user_id),
    check('users_first_name_check', sql`length(trim(${t.first_name})) between 1 and 255`),
    check('users_last_name_check', sql`length(trim(${t.last_name})) between 1 and 255`),
    check('users_email_check', sql`${t.email} = lower(${t.email})`),
    check('users_gender_check', sql`${t.gender} in ('male', 'female')`),
    check('users_type_check', sql`${t.type} in ('teacher', 'student', 'partner', 'developer')`),
    check('users_title_check', sql`${t.user_title} in ('mr', 'mrs', 'miss', 'prof', 'dr')`),
    check('users_locale_check', sql`${t.locale} in ('en', 'fr')`),
    check('users_number_form_check', sql`${t.number_form} in ('en-2', 'fr-0')`),
    check('users_password_check', sql`${t.password_hash} is null or ${t.account}`),
  ],
)

/** One sign-in of one browser; the cookie's value is known to the browser only (Access 2.1). */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    token_hash: bytea('token_hash').notNull(),
    ip: text('ip'),
    user_agent: text('user_agent'),
    created_at: createdAt(),
    last_seen_at: instant('last_seen_at').notNull().default(sql`now()`),
    ended_at: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('sessions_token_hash_key').on(t.token_hash),
    index('sessions_user_id_index').on(t.user_id, t.created_at),
  ],
)

/** Single-use links of invitations (7 days) and resets (60 minutes), stored hashed. */
export const passwordTokens = pgTable(
  'password_tokens',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    token_hash: bytea('token_hash').notNull(),
    purpose: text('purpose').$type<'reset' | 'invitation'>().notNull(),
    created_at: createdAt(),
    expires_at: instant('expires_at').notNull(),
    used_at: instant('used_at'),
  },
  (t) => [
    uniqueIndex('password_tokens_token_hash_key').on(t.token_hash),
    index('password_tokens_user_id_index').on(t.user_id),
    check('password_tokens_purpose_check', sql`${t.purpose} in ('reset', 'invitation')`),
  ],
)

/** One-time codes for whoever lost their device; each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    code_hash: bytea('code_hash').notNull(),
    used_at: instant('used_at'),
    created_at: createdAt(),
  },
  (t) => [uniqueIndex('recovery_codes_key').on(t.user_id, t.code_hash)],
)

/** Attempts to sign in, to use a reset link or an invite; a success takes its own away (Access 1.2). */
export const guesses = pgTable(
  'guesses',
  {
    id: id(),
    kind: text('kind').$type<'sign-in' | 'reset' | 'invite'>().notNull(),
    /** Hash of what is guessed at. */
    subject: bytea('subject').notNull(),
    address: text('address').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    index('guesses_subject_index').on(t.kind, t.subject, t.created_at),
    index('guesses_address_index').on(t.address, t.created_at),
    index('guesses_created_at_index').on(t.created_at),
  ],
)
