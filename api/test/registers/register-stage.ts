import { beforeEach } from 'vitest'
import type { Portal } from '../portal.ts'
import { addPlaces, addSchools } from './registers.ts'

/** For tests of the registers: a worker, and for each test places, schools and a school officer. */
export async function registerStage(portal: Portal) {
  await portal.worker()
  beforeEach(async () => {
    await portal.clear()
    await addPlaces(portal)
    await addSchools(portal)
  })
  return {
    officer: () => portal.signedInAs('School Officer'),
    one: async (query: string) => (await portal.owner.query(query)).rows[0],
  }
}
