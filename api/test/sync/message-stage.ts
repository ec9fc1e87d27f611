import { beforeEach } from 'vitest'
import type { Portal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { machine, makeToken } from './sync.ts'

/** For tests of messages: each has schools and a device that sends with a token of its own. */
export function messageStage(portal: Portal) {
  let device: ReturnType<typeof machine>
  beforeEach(async () => {
    await portal.clear()
    await addPlaces(portal)
    await addSchools(portal)
    device = machine(portal, await makeToken(portal))
  })
  const log = async () => (await (await portal.signedIn('students.view')).get('/home/messages')).body

  return {
    send: (...messages: Parameters<typeof device>) => device(...messages),
    log,
    reasons: async () => (await log()).messages.data.map((one: { error: string }) => one.error),
  }
}
