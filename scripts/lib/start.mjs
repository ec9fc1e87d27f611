import { runPortal } from './portal.mjs'
import { main } from './say.mjs'

await main(async () => {
  await runPortal()
  // A restart's timer or an idle connection must not keep a stopped portal's terminal waiting.
  process.exit(0)
})
