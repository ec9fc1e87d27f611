import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateSteps } from '@portal/contracts/transfers/steps/all'
import type { StateStep } from '@portal/contracts/transfers/steps/step'
import { expect, test } from 'vitest'
import type { Exit, Exits } from './state-exit.ts'
import { stateExits } from './state-exits.ts'

const docs = join(import.meta.dirname, '../../../docs')
const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}

type States = Record<string, Exits<string>>
const things: [string, States][] = Object.entries(stateExits)
const exitsOf = (exits: Exits<string> | undefined): readonly Exit<string>[] =>
  exits && 'exits' in exits ? exits.exits : []
const all = things.flatMap(([thing, states]) =>
  Object.entries(states).map(([state, exits]) => ({ thing, states, state, exits })),
)

/** All states that a state leads to, in any number of steps. */
function reachable(states: States, from: string, seen = new Set<string>()): Set<string> {
  for (const { to } of exitsOf(states[from])) {
    if (seen.has(to)) continue
    seen.add(to)
    reachable(states, to, seen)
  }
  return seen
}

for (const { thing, states, state, exits } of all)
  test(`a person who finds a ${thing} in the state ${state} has a way that ends it, or reads why it has ended`, () => {
    if ('final' in exits) {
      expect(exits.final).toMatch(/^[A-Z].*\.$/)
      return
    }
    const ends = [...reachable(states, state)].filter((to) => 'final' in (states[to] ?? {}))
    expect(ends).not.toEqual([])
    for (const { to } of exits.exits) {
      expect(to).not.toBe(state)
      expect(Object.keys(states)).toContain(to)
    }
  })

test('each call that ends a state is served, and admits who the table says', () => {
  for (const { thing, exits } of all)
    for (const exit of exitsOf(exits)) {
      if ('itself' in exit) {
        expect(exit.itself).toMatch(/^[A-Z].*\.$/)
        continue
      }
      const { method, path, access } = exit.call
      const served = paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}
      expect(Object.keys(served), path).toContain(method.toLowerCase())
      // The calls on imports ask for the permission of what is imported.
      if (access === 'session') expect([thing, exit.by]).toEqual(['import of a list', 'cohorts.create'])
      else expect([access].flat()).toContain(exit.by)
    }
})

const steps: Record<string, Record<string, StateStep | null>> = stateSteps

test('a person reads on the screen of each state that does not go on by itself who ends it', () => {
  const { payment, ...others } = stateExits
  // Payments have sentences of their own, of which each state has one.
  expect(payment).toBeDefined()
  expect(Object.keys(steps).sort()).toEqual(Object.keys(others).sort())
  for (const [thing, states] of Object.entries<States>(others)) {
    const said = Object.keys(steps[thing] ?? {})
    // What has ended needs no step, and may have one.
    const open = Object.keys(states).filter((state) => exitsOf(states[state]).length > 0)
    expect(
      open.filter((state) => !said.includes(state)),
      thing,
    ).toEqual([])
    expect(
      said.filter((state) => !(state in states)),
      thing,
    ).toEqual([])
    for (const [state, step] of Object.entries(steps[thing] ?? {})) {
      const exits = exitsOf(states[state])
      const byPeople = exits.flatMap((exit) => ('by' in exit ? [exit.by] : []))
      // A state that only people end says whose turn it is.
      if (byPeople.length > 0 && byPeople.length === exits.length)
        expect(step, `${thing} ${state}`).not.toBeNull()
      if (step && exits.length > 0) expect(byPeople, `${thing} ${state}`).toContain(step.by)
    }
  }
})

test('each thing that has steps shows them on a screen', () => {
  const screens = join(import.meta.dirname, '../../../mfe-transfers/src')
  const drawn = globSync('**/*.tsx', { cwd: screens })
    .filter((file) => !file.endsWith('.test.tsx'))
    .map((file) => readFileSync(join(screens, file), 'utf8'))
    .join('')
  const table = readFileSync(
    join(import.meta.dirname, '../../../shared/contracts/src/transfers/steps/all.ts'),
    'utf8',
  )
  const named = [...table.matchAll(/: (\w+Steps),/g)].map(([, name]) => name)
  expect(named).toHaveLength(Object.keys(steps).length)
  const missing = named.filter((name) => !drawn.includes(`<NextStep of={${name}}`))
  expect(missing).toEqual([])
})

test('nobody can act only where a worker is at it, which another one takes over', () => {
  const alone = all.filter(({ exits }) => 'exits' in exits && exits.exits.every((exit) => 'itself' in exit))
  expect(alone.map(({ thing, state }) => `${thing} ${state}`)).toEqual([
    'round scheduled',
    'round of a hold of sending asked',
  ])
})

/** The table as the docs have it. `-u` of vitest writes it again. */
test('the docs have every state with its exits', async () => {
  const lines = things.flatMap(([thing, states]) => [
    '',
    `## ${thing[0]?.toUpperCase()}${thing.slice(1)}`,
    '| State | Leads to | By |',
    '|---|---|---|',
    ...Object.entries(states).flatMap(([state, exits]) =>
      'final' in exits
        ? [`| ${state} | *the end* | ${exits.final} |`]
        : exits.exits.map((exit, n) => {
            const by =
              'itself' in exit ? exit.itself : `\`${exit.call.method} ${exit.call.path}\`, \`${exit.by}\``
            return `| ${n === 0 ? state : ''} | ${exit.to} | ${by} |`
          }),
    ),
  ])
  const intro = [
    '# A way out of every state',
    'Made from `api/src/transfers/state-exits.ts` by its test. Each state ends by a call, with the permission that it needs, or by itself.',
  ]
  await expect(`${[...intro, ...lines].join('\n')}\n`).toMatchFileSnapshot(join(docs, 'states.md'))
})
