import { startPortal } from './portal.ts'
import { publishInto } from './publishing.ts'
import { waitingBuild } from './waiting-build.ts'

/** One portal for the whole run, in which a partner's build waits; PORTAL_STAGE of the environment names one that runs already. */
export default async function startStage() {
  if (process.env.PORTAL_STAGE) return
  const { place, stop } = await startPortal()
  await publishInto(place.folder, waitingBuild)
  process.env.PORTAL_STAGE = JSON.stringify(place)
  return stop
}
