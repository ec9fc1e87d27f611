import { eventCharacters } from '@portal/contracts/module-events'
import { checkRecord, type DeclaredField } from '@portal/contracts/record-fields'
import type { ModuleBuild } from './manifest.ts'
import type { DeclaredEvent } from './manifest-events.ts'

type Publishing = Pick<ModuleBuild, 'name' | 'events'>

/** An event of this name that the module declares, named in full: `mfe-clinics:visit-recorded`. */
const declaredAs = ({ name, events = [] }: Publishing, event: string) =>
  events.find(({ id }) => `${name}:${id}` === event)

const asField = ({ values, ...field }: DeclaredEvent['fields'][number]): DeclaredField => ({
  ...field,
  ...(values && { values: values.map((value) => ({ value })) }),
})

/** An event as it is carried, or why it is not. */
export type ReadEvent = { declared: DeclaredEvent; payload: Record<string, unknown> } | { refusal: string }

/** Holds an event against the manifest of the module that publishes it. */
export function readEvent(of: Publishing, event: string, given: unknown): ReadEvent {
  const declared = declaredAs(of, event)
  if (!declared) return { refusal: `${of.name} declares no event ${event} in portal.module.json.` }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { refusal: `${event}: an event carries an object.` }
  const { data, faults } = checkRecord(declared.fields.map(asField), given as Record<string, unknown>)
  const [fault] = Object.entries(faults)
  if (fault) return { refusal: `${event}: ${fault[0]} is not as the manifest declares it (${fault[1]}).` }
  // Without fields nothing is checked, and nothing is carried.
  const payload = declared.fields.length ? data : {}
  return JSON.stringify(payload).length > eventCharacters
    ? { refusal: `${event}: an event has at most ${eventCharacters} characters.` }
    : { declared, payload }
}

/** What is wrong with the events of a manifest, each with the field it stands in. */
export function faultsOfEvents(manifest: Pick<ModuleBuild, 'name' | 'events' | 'listens'>): string[] {
  const { name, events = [], listens = [] } = manifest
  const twice = (all: readonly string[]) => all.findIndex((each, at) => all.indexOf(each) < at)
  const [declared, heard] = [twice(events.map(({ id }) => id)), twice(listens)]
  const faults = [
    ...(declared >= 0 ? [`events.${declared}.id: ${events[declared]?.id} stands there twice`] : []),
    ...(heard >= 0 ? [`listens.${heard}: ${listens[heard]} stands there twice`] : []),
  ]
  for (const [at, { fields }] of events.entries()) {
    const again = twice(fields.map((field) => field.name))
    if (again >= 0)
      faults.push(`events.${at}.fields.${again}.name: ${fields[again]?.name} stands there twice`)
  }
  for (const [at, event] of listens.entries())
    if (event.startsWith(`${name}:`) && !declaredAs(manifest, event))
      faults.push(`listens.${at}: ${event} is none of its own events`)
  return faults
}

/**
 * Events that other live modules hear, and that a new build would no longer publish as they expect: the event or a field is
 * gone, or a field has another type.
 */
export function eventsLost(
  before: readonly Publishing[],
  now: Publishing,
  others: readonly Pick<ModuleBuild, 'name' | 'listens'>[],
): { event: string; what: string; by: string }[] {
  const heardBy = (event: string) => others.find(({ listens }) => listens?.includes(event))?.name
  return before.flatMap(({ events = [] }) =>
    events.flatMap(({ id, fields }) => {
      const event = `${now.name}:${id}`
      const by = heardBy(event)
      if (!by) return []
      const next = declaredAs(now, event)
      if (!next) return [{ event, what: 'is gone', by }]
      const lost = fields.find(
        (field) => !next.fields.some((each) => each.name === field.name && each.type === field.type),
      )
      return lost ? [{ event, what: `no longer has ${lost.name} of type ${lost.type}`, by }] : []
    }),
  )
}
