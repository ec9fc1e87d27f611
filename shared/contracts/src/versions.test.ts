import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'

/** Calls that change a row and need no version, each with its reason. */
const without: Record<string, string> = {
  'drafts.keep': 'is what one session has typed and not sent: the last words count',
  'firstDay.show': 'is what a person chose for herself alone: the last choice counts',
  'modules.change': 'takes the generation of the registry, which is the version of all modules',
  'notifications.mark': 'marks as read, whatever else stands there',
  'notifications.markAll': 'marks as read, whatever else stands there',
  'notifications.prefer': 'is all that a person chose for herself alone: the last choice counts',
  'password.change': 'takes the present password, which is the version of the next one',
  'profile.change': 'is every form of an account as the server reads it; each of them takes the version',
  'startPage.choose': 'is all that a person chose for herself alone: the last choice counts',
  'roles.change': 'is both forms of a role as the server reads it; each of them takes the version',
  'moduleRecords.update': 'takes the version by its own rule: a module’s call without it is refused',
}

const files = readdirSync(import.meta.dirname)
  .filter((name) => /^[a-z-]+\.ts$/.test(name))
  .map((name) => name.replace('.ts', ''))
const modules: Record<string, object>[] = await Promise.all(files.map((file) => import(`./${file}.ts`)))
const isCall = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
const calls = modules.flatMap((module) =>
  Object.entries(module).flatMap(([group, calls]) =>
    Object.entries(calls ?? {}).flatMap(([name, call]) =>
      isCall(call) ? [{ name: `${group}.${name}`, call }] : [],
    ),
  ),
)

test('every call that changes a row takes the version with which its form was opened', () => {
  const puts = calls.filter(({ call }) => call.method === 'PUT')
  expect(puts.length).toBeGreaterThan(15)
  const forgotten = puts.filter(
    ({ name, call }) =>
      !(name in without) && !('version' in ((call.body as { entries?: object })?.entries ?? {})),
  )
  expect(forgotten.map(({ name }) => name)).toEqual([])
  const names = new Set(puts.map(({ name }) => name))
  expect(Object.keys(without).filter((name) => !names.has(name))).toEqual([])
})
