import { expect, test } from 'vitest'
import { allCalls } from './test-calls.ts'

/** Calls that change a row and need no version, each with its reason. */
const without: Record<string, string> = {
  'callbacks.receivePut': 'is a report of an agency, which only makes the worker ask',
  'drafts.keep': 'is what one session has typed and not sent: the last words count',
  'firstDay.show': 'is what a person chose for herself alone: the last choice counts',
  'moduleBackends.update': 'is passed on to the server of a team, whose rows are not the portal’s',
  'modules.change': 'takes the generation of the registry, which is the version of all modules',
  'modules.trust': 'names one build, which never changes; the last decision about it counts',
  'notifications.mark': 'marks as read, whatever else stands there',
  'notifications.markAll': 'marks as read, whatever else stands there',
  'notifications.prefer': 'is all that a person chose for herself alone: the last choice counts',
  'password.change': 'takes the present password, which is the version of the next one',
  'profile.change': 'is every form of an account as the server reads it; each of them takes the version',
  'startPage.choose': 'is all that a person chose for herself alone: the last choice counts',
  'roles.change': 'is both forms of a role as the server reads it; each of them takes the version',
  'moduleRecords.update': 'takes the version by its own rule: a module’s call without it is refused',
}

test('every call that changes a row takes the version with which its form was opened', () => {
  const puts = allCalls.filter(({ call }) => call.method === 'PUT')
  expect(puts.length).toBeGreaterThan(15)
  const forgotten = puts.filter(
    ({ name, call }) =>
      !(name in without) && !('version' in ((call.body as { entries?: object })?.entries ?? {})),
  )
  expect(forgotten.map(({ name }) => name)).toEqual([])
  const names = new Set(puts.map(({ name }) => name))
  expect(Object.keys(without).filter((name) => !names.has(name))).toEqual([])
})
