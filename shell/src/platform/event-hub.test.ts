import { readEvent } from '@portal/sdk/own-events'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '../session/session.ts'
import { hear, publish } from './event-hub.ts'

const label = { en: 'Dry', fr: 'À sec' }
const well = { name: 'well', type: 'whole' as const, required: true }
const depth = { name: 'depth', type: 'text' as const, values: ['low', 'high'] }
let count = 0
const newModule = () => {
  count += 1
  return {
    name: `mfe-wells-${count}`,
    events: [{ id: 'dry', title: label, permission: 'schools.view', fields: [well, depth] }],
  }
}

const begin = (permissions: string[]) =>
  useSessionStore.getState().begin({ user: {}, permissions, locale: 'en', settings: {} } as never)
beforeEach(() => {
  vi.useFakeTimers()
  begin(['schools.view'])
})

test('an event reaches whoever hears it, later and each with a copy, until they end it', () => {
  const module = newModule()
  const heard: unknown[] = []
  const event = `${module.name}:dry`
  hear(event, (payload) => {
    heard.push(payload.well)
    payload.well = 0
  })
  const end = hear(event, ({ well }) => heard.push(`second ${well}`))
  expect(publish(module, event, { well: 7 })).toBeNull()
  expect(heard).toEqual([])
  vi.runAllTimers()
  expect(heard).toEqual([7, 'second 7'])
  end()
  publish(module, event, { well: 8 })
  vi.runAllTimers()
  expect(heard).toEqual([7, 'second 7', 8])
})

test('an event is not carried for somebody who may not read what it tells', () => {
  const module = newModule()
  begin(['cases.view'])
  const listener = vi.fn()
  hear(`${module.name}:dry`, listener)
  expect(publish(module, `${module.name}:dry`, { well: 7 })).toBeNull()
  vi.runAllTimers()
  expect(listener).not.toHaveBeenCalled()
})

test('two modules that answer each other’s events without an end are stopped', () => {
  const [ping, pong] = [newModule(), newModule()]
  let heard = 0
  const answer = (module: typeof ping) => () => {
    heard += 1
    publish(module, `${module.name}:dry`, { well: 1 })
  }
  hear(`${ping.name}:dry`, answer(pong))
  hear(`${pong.name}:dry`, answer(ping))
  publish(ping, `${ping.name}:dry`, { well: 1 })
  for (let round = 0; round < 300; round += 1) vi.runOnlyPendingTimers()
  expect(heard).toBe(100)
  expect(publish(ping, `${ping.name}:dry`, { well: 1 })).toMatch(/at most 50 events in 10 seconds/)
})

test.each([
  ['a field that is missing', {}, /well is not as the manifest declares it \(required\)/],
  ['a field that is not declared', { well: 7, name: 'Awa' }, /name is not as .* \(undeclared\)/],
  ['another value than those declared', { well: 7, depth: 'deep' }, /depth is not as .* \(choose\)/],
  ['no object', 'well', /an event carries an object/],
])('an event with %s is refused', (_, payload, refusal) => {
  const module = newModule()
  expect(readEvent(module, `${module.name}:dry`, payload)).toEqual({
    refusal: expect.stringMatching(refusal),
  })
})
