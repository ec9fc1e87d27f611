import { startPortal } from './portal.ts'
import { publishWaitingBuild } from './waiting-build.ts'

/** One portal for the whole run, in which a partner's build waits; PORTAL_STAGE of the environment names one that runs already. */
export default async function startStage() {
  if (process.env.PORTAL_STAGE) return
  const { place, stop } = await startPortal()
  await publishWaitingBuild(place.folder)
  process.env.PORTAL_STAGE = JSON.stringify(place)
  return stop
}
