import { runPortal } from './portal.mjs'
import { main } from './say.mjs'

const api = ['--watch', '--watch-preserve-output']
const extra = [
  { name: 'dev', script: 'shared/build/src/dev.ts' },
  { name: 'gallery', script: 'deploy/portal-module/src/gallery/main.ts', at: 'http://localhost:5178/' },
]

await main(() => runPortal({ api, extra }))
