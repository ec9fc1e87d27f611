import { startPortal } from './portal.ts'

/** One portal for the whole run; PORTAL_STAGE of the environment names one that runs already. */
export default async function startStage() {
  if (process.env.PORTAL_STAGE) return
  const { place, stop } = await startPortal()
  process.env.PORTAL_STAGE = JSON.stringify(place)
  return stop
}
