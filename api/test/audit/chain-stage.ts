import { expect } from 'vitest'
import { audit } from '../../src/kit/audit/audit.ts'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import type { Portal } from '../portal.ts'

/** For tests of the chain of the audit log: entries, their links, and an attacker. */
export function chainStage({ db, settings, owner }: Portal) {
  const verify = () => verifyAudits(db, settings.secret)
  /** Runs SQL as the owner with the triggers disabled, as an attacker with full access to the database could. */
  async function tamper(statement: string) {
    const client = await owner.connect()
    try {
      await client.query("set portal.maintenance = 'on'")
      await client.query('set session_replication_role = replica').catch(() => undefined)
      await client.query(statement)
    } finally {
      await client.query('reset portal.maintenance')
      client.release()
    }
  }

  return {
    verify,
    tamper,
    /** Links all rows, so that each test starts with a complete chain. */
    async wholeChain() {
      await linkAudits(db, settings.secret, null)
      expect(await verify()).toMatchObject({ fault: null, unlinked: 0 })
    },
    write: (event: string) =>
      db
        .transaction()
        .execute((tx) =>
          audit(tx, system, event, 'school', 1, { old: { name: 'A', n: 1 }, new: { name: 'Ségou', n: 2 } }),
        ),
    /** Tampers with the log, returns the result of the verification, and restores the tables. */
    async foundAfter(statement: string) {
      await tamper(
        'create table kept_audits as table audits; create table kept_values as table audit_values; create table kept_links as table audit_links; create table kept_head as table audit_head',
      )
      await tamper(statement)
      const { fault } = await verify()
      await tamper(`truncate audit_values, audit_links, audits, audit_head; insert into audits overriding system value table kept_audits;
        insert into audit_values table kept_values; insert into audit_links table kept_links; insert into audit_head table kept_head;
        drop table kept_audits, kept_values, kept_links, kept_head`)
      expect(await verify()).toMatchObject({ fault: null })
      return fault
    },
  }
}
