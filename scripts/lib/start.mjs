import { runPortal } from './portal.mjs'
import { main } from './say.mjs'

await main(() => runPortal())
