import { expect, test } from 'vitest'
import { build, startRegistry } from './test-registry.ts'

const week = { week: '2026-11-16', loads: 12, errors: 1, people: 4, load_ms_median: 180 }

test('a team reads the weeks of its module, and what was done and refused with it, and nothing of others', async () => {
  const asked: string[] = []
  const usage = async (module: string) => {
    asked.push(module)
    return { weeks: [week], pages: [{ page: '/admin/health', week: week.week, loads: 12 }] }
  }
  const { person } = await startRegistry(undefined, undefined, usage)
  const [awa, binta] = [await person('Awa'), await person('Binta', ['mfe-clinics'])]
  await awa.publish(build())
  expect((await awa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(403)
  // Another team clashes with the module: that is a matter of the other team.
  const other = build('1.0.0', { name: 'mfe-clinics', permissions: [] })
  const moussa = await person('Moussa')
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  expect((await binta.publishOnly(other)).body.message).toMatch(/\/admin\/health belongs to mfe-health/)

  const read = (what: string, who = awa) => who.call('GET', `/registry/modules/mfe-health/${what}`)
  expect((await read('usage')).body.usage).toEqual([week])
  expect(asked).toEqual(['mfe-health'])
  const { log } = (await read('logs')).body
  expect(log).toMatchObject([
    { what: 'promote', ok: true, by: 'Moussa (moussa)' },
    { what: 'POST /registry/modules/mfe-health/promote', ok: false, by: 'Awa (awa)' },
    { what: 'admit', ok: true },
    { what: 'publish', ok: true, by: 'Awa (awa)' },
  ])
  for (const what of ['usage', 'logs']) expect((await read(what, binta)).status, what).toBe(403)
})

test('a registry without a portal says who has the weeks', async () => {
  const { person } = await startRegistry()
  const awa = await person('Awa')
  const answer = await awa.call('GET', '/registry/modules/mfe-health/usage')
  expect(answer).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('without a portal') },
  })
})
