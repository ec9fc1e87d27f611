import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { migrationNames } from '../../src/migrations.ts'
import type { Client } from '../client.ts'
import { runCommand } from '../commands.ts'
import { startPortal } from '../portal.ts'
import { tablesWith } from '../registers/known-girl.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'

// Workers of an installation have no address of the owner of the database, so they never erase.
const portal = await startPortal({ databaseOwnerUrl: undefined })
const { owner, settings } = portal
const ownerUrl = owner.options.connectionString ?? ''
const machine = machineServer(portal.context, { draining: false }, migrationNames(), {})

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 4)
})

/** Runs what the nightly unit runs, with the addresses that the unit gives. */
async function nightly() {
  const unit = readFileSync(
    join(import.meta.dirname, '../../../deploy/systemd/portal-erasures.service'),
    'utf8',
  )
  const [, name = '', words = ''] = /^ExecStart=\S+ api\/src\/commands\/(\S+)\.ts (.*)$/m.exec(unit) ?? []
  expect(unit).toContain('DATABASE_URL_FILE=%d/database-owner DATABASE_OWNER_URL_FILE=%d/database-owner')
  return runCommand(settings, name, words.split(' '), '', {
    DATABASE_URL: ownerUrl,
    DATABASE_OWNER_URL: ownerUrl,
  })
}

const studentOf = async (code: string): Promise<number> =>
  (await owner.query('select id from students where student_code = $1', [code])).rows[0].id

/** One person asks that somebody be erased, and another one approves it. */
async function approvedFor(person: string): Promise<number> {
  const asks = await portal.signedInAs('Administrator')
  const decides = await portal.signedInAs('Administrator')
  const why = { reason: 'Her mother asked in writing' }
  expect((await asks.post(`/admin/people/${person}/erasures`, why)).status).toBe(200)
  const [{ id, version }] = await erasures(decides)
  const approval = { action: 'approved', reason: 'Letter seen', version }
  const { status, body } = await decides.post(`/admin/erasures/${id}/decision`, approval)
  const message = 'The erasure is approved. It is carried out in the next night at the latest.'
  expect({ status, body }).toMatchObject({ status: 200, body: { message } })
  return id
}

const approved = async (code: string) => approvedFor(`student/${await studentOf(code)}`)

const erasures = async (person: Client) => (await person.get('/admin/erasures')).body.erasures.data
const seen = async (person: Client) => (await person.get('/admin/system')).body.erasures
const measured = async () => {
  const { body } = await machine.inject('/metrics')
  return Number(/^portal_erasure_oldest_seconds (\S+)$/m.exec(body)?.[1])
}
/** Moves the decisions into the past, which nobody can do in a portal. */
const decidedBefore = (age: string) =>
  owner.query(`alter table erasure_requests disable trigger erasure_requests_keep;
    update erasure_requests set decided_at = now() - interval '${age}' where state = 'approved';
    alter table erasure_requests enable trigger erasure_requests_keep`)

test('an operator’s nightly command erases a girl whom two people decided to erase', async () => {
  const admin = await portal.signedInAs('Administrator')
  expect(await measured()).toBe(0)
  await approved('S-2')
  expect(await seen(admin)).toEqual({ open: 1, overdue: 0 })
  expect(await nightly()).toEqual({
    code: 0,
    err: '',
    out: 'Approved erasures: 1 carried out, 0 stopped, 0 wait for an export or an import that is under way.\n',
  })
  expect((await erasures(admin))[0]).toMatchObject({ state: 'erased', name: null })
  expect(await tablesWith(portal, 'Traoré 2')).toEqual([])
  expect(await seen(admin)).toEqual({ open: 0, overdue: 0 })
})

test('an administrator and an operator see that an approved erasure was not carried out for more than two days', async () => {
  const admin = await portal.signedInAs('Administrator')
  await approved('S-3')
  await decidedBefore('47 hours')
  expect(await seen(admin)).toEqual({ open: 1, overdue: 0 })
  expect((await erasures(admin))[0]).toMatchObject({ state: 'approved', overdue: false })
  await decidedBefore('49 hours')
  expect(await seen(admin)).toEqual({ open: 1, overdue: 1 })
  expect((await erasures(admin))[0]).toMatchObject({ state: 'approved', overdue: true })
  expect(await measured()).toBeGreaterThanOrEqual(49 * 3600)
  expect((await nightly()).code).toBe(0)
  expect((await erasures(admin))[0]).toMatchObject({ state: 'erased', overdue: false })
  expect(await measured()).toBe(0)
})

test('a guardian who is a student as well by the time of the erasure is erased, with the request and what it says', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query(
    `with u as (insert into users (first_name, last_name) values ('Nantenin', 'Kanouté') returning id)
     insert into parents (user_id, parent_assigned_id, contact_1) select id, 'TUT-9', '+22370559901' from u returning id, user_id`,
  )
  const [{ id, user_id }] = rows
  await approvedFor(`guardian/${id}`)
  await owner.query(
    "insert into students (user_id, school_id, student_code) select $1, min(id), 'S-NANTENIN' from schools",
    [user_id],
  )
  expect((await nightly()).out).toContain('Approved erasures: 1 carried out')
  expect(await tablesWith(portal, 'Nantenin')).toEqual([])
  expect((await erasures(admin))[0]).toMatchObject({ state: 'erased', reason: '—', decision: '—' })
  expect((await nightly()).out).toContain('Approved erasures: 0 carried out')
})

test('an operator is told of an erasure that failed, and the others are carried out', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await approved('S-1')
  await approved('S-4')
  // What no erasure foresees: the database refuses this one.
  await owner.query(`create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_one before update on erasure_requests for each row when (old.id = ${id} and new.state = 'erased')
    execute function refuse_one()`)
  const { code, out, err } = await nightly()
  expect({ code, err }).toEqual({
    code: 1,
    err: '1 failed and will be tried again by the next run: the log says why.\n',
  })
  expect(out).toContain(`The erasure ${id} failed`)
  expect(out).toContain('Approved erasures: 1 carried out,')
  const states = (await erasures(admin)).map(({ id: each, state }: { id: number; state: string }) => [
    each,
    state,
  ])
  expect(new Map(states).get(id)).toBe('approved')
  expect(await tablesWith(portal, 'Traoré 4')).toEqual([])
  await owner.query('drop trigger refuse_one on erasure_requests')
  expect((await nightly()).code).toBe(0)
  expect(await tablesWith(portal, 'Traoré 1')).toEqual([])
})
