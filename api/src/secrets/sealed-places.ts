/**
 * A place in the database with sealed values. The fields are SQL: `id` names a row of `t`, `sealed` reads its value, and `set`
 * writes `v.fresh` there.
 */
export type SealedPlace = {
  what: string
  table: string
  id: string
  sealed: string
  set: string
  where?: string
}

const column = (what: string, table: string, name: string, id = 't.id::text'): SealedPlace => ({
  what,
  table,
  id,
  sealed: `t.${name}`,
  set: `${name} = v.fresh`,
})

/** Every place with sealed values. A test compares it with the columns of the database. */
export const sealedPlaces: readonly SealedPlace[] = [
  column('secrets of one-time codes', 'users', 'totp_secret'),
  column('drafts', 'drafts', 'content', "t.session_id || ' ' || t.form"),
  column('mails', 'mails', 'body'),
  column('credentials of agencies', 'transfer_agencies', 'secrets'),
  column('proposed changes of agencies', 'transfer_agency_changes', 'secrets'),
  column('names at agencies', 'name_answers', 'names'),
  column('keys of the audit log', 'secret_keys', 'audit_key'),
  {
    what: 'asked password resets',
    table: 'pgboss.job',
    id: 't.id::text',
    sealed: "decode(t.data->>'email', 'base64')",
    set: "data = jsonb_set(t.data, '{email}', to_jsonb(translate(encode(v.fresh, 'base64'), E'\\n', '')))",
    where: "t.name = 'password-reset' and t.data->>'email' is not null",
  },
]

/** Columns with bytes that are not sealed: hashes, signatures and salts. */
export const unsealedColumns: readonly string[] = [
  'audit_head.hash',
  'audit_head.seal',
  'audit_links.hash',
  'audit_links.previous',
  'audit_values.salt',
  'audits.seal',
  'audits.values_hash',
  'failed_attempts.subject',
  'files.sha256',
  'installation_identity.inner_pad',
  'installation_identity.outer_pad',
  'module_tokens.token_hash',
  'name_answers.number',
  'name_answers.subject',
  'password_tokens.token_hash',
  'recent_reads.mark',
  'recovery_codes.code_hash',
  'referrals.invite_hash',
  'secret_keys.verifier',
  'sessions.token_hash',
  'statement_lines.hash',
  'sync_tokens.token_hash',
]
