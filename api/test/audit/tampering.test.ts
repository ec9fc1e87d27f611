import { expect, test } from 'vitest'
import { verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { startPortal } from '../portal.ts'
import { chainStage } from './chain-stage.ts'

const portal = await startPortal()
const { foundAfter, tamper, verify, wholeChain, write } = chainStage(portal)
const { db, settings } = portal

test('tampering with a row, its values, its link or the chain is detected', async () => {
  const ids = [await write('one'), await write('two'), await write('three')]
  await wholeChain()
  const [one, two, three] = ids
  expect(await foundAfter(`update audits set event = 'other' where id = ${one}`)).toMatch(
    `audit row ${one}): the row was changed`,
  )
  expect(await foundAfter(`update audits set user_id = 1 where id = ${two}`)).toMatch(
    `audit row ${two}): the row was changed`,
  )
  expect(
    await foundAfter(`update audit_values set new_values = '{"name": "Kayes"}' where audit_id = ${two}`),
  ).toMatch(`audit row ${two}): its values were changed`)
  expect(await foundAfter(`delete from audit_values where audit_id = ${one}`)).toMatch('its values are gone')
  expect(
    await foundAfter(
      `delete from audit_values where audit_id = ${two}; delete from audit_links where audit_id = ${two}; delete from audits where id = ${two}`,
    ),
  ).toMatch('a gap')
  expect(await foundAfter(`delete from audit_links where audit_id = ${three}`)).toMatch('its sealed end')
  expect(await foundAfter(`delete from audit_links; delete from audit_values; delete from audits`)).toMatch(
    'its sealed end',
  )
  expect(
    await foundAfter(`create temporary table swapped as select position, previous, hash,
        case audit_id when ${one} then ${two} else ${one} end as audit_id from audit_links where audit_id in (${one}, ${two});
      delete from audit_links where audit_id in (${one}, ${two});
      insert into audit_links (position, previous, hash, audit_id) table swapped; drop table swapped`),
  ).toMatch("hash is not the portal's")
  expect(
    await foundAfter(
      `insert into audits (event, auditable_type, values_hash, seal) select 'forged', auditable_type, values_hash, seal from audits where id = ${one}`,
    ),
  ).toMatch('not written by the portal')
})

test('swapped contents, a copied row and a forged link are detected', async () => {
  const [one, two] = [await write('first of two'), await write('second of two')]
  await wholeChain()
  const columns =
    'created_at, user_id, ip_address, user_agent, request_id, event, auditable_type, auditable_id, values_hash, seal'
  expect(
    await foundAfter(`update audits a set (${columns}) = (select ${columns} from kept_audits k where k.id = ${one + two} - a.id)
      where a.id in (${one}, ${two})`),
  ).toMatch(`audit row ${one}): its values were changed`)
  expect(
    await foundAfter(`update audits a set (${columns}) = (select ${columns} from kept_audits k where k.id = ${one + two} - a.id)
        where a.id in (${one}, ${two});
      update audit_values a set (salt, old_values, new_values) = (select salt, old_values, new_values from kept_values k
        where k.audit_id = ${one + two} - a.audit_id) where a.audit_id in (${one}, ${two})`),
  ).toMatch(`audit row ${one}): its hash is not the portal's`)
  expect(
    await foundAfter(`insert into audits (${columns}) select ${columns} from audits where id = ${one};
      insert into audit_values (audit_id, salt, old_values, new_values)
        select (select max(id) from audits), salt, old_values, new_values from audit_values where audit_id = ${one}`),
  ).toMatch(`is a copy of audit row ${one}`)
  const stranger = await write('not linked yet')
  expect((await verify()).tail).toEqual({ first: stranger, last: stranger })
  expect(
    await foundAfter(`insert into audit_links (position, audit_id, previous, hash)
      select position + 1, ${stranger}, hash, sha256(hash) from audit_links order by position desc limit 1`),
  ).toMatch("its hash is not the portal's")
})

test('a truncated log whose sealed end was restored is detected by comparing with an end noted earlier', async () => {
  await wholeChain()
  await tamper('create table early_head as table audit_head')
  const kept = await write('to be cut off')
  await wholeChain()
  const { end } = await verify()
  if (!end) throw new Error('The chain has no end')
  expect((await verifyAudits(db, settings.secret, end)).fault).toBeNull()
  expect((await verifyAudits(db, settings.secret, { ...end, hash: '0'.repeat(64) })).fault).toMatch(
    'is not the one that was noted',
  )
  const cut = `delete from audit_links where audit_id = ${kept}; delete from audit_values where audit_id = ${kept};
    delete from audits where id = ${kept}; delete from audit_head; insert into audit_head table early_head; drop table early_head`
  await tamper(cut)
  expect((await verify()).fault).toBeNull()
  expect((await verifyAudits(db, settings.secret, end)).fault).toMatch(`but link ${end.position} was noted`)
})
