import { runPortal } from './portal.mjs'
import { main } from './say.mjs'

const api = ['--watch', '--watch-preserve-output']
const extra = [{ name: 'dev', script: 'shared/build/src/dev.ts' }]

await main(() => runPortal({ api, extra }))
