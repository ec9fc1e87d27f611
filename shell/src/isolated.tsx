import '@portal/ui/ui.css'
import './isolated.css'
import { portMessage } from '@portal/sdk/frames'
import { guardHead } from './platform/head-guard.ts'
import { listen } from './platform/isolated/inside/listen.tsx'
import { startWorkers } from './platform/isolated/inside/workers.ts'
import { statesFrom } from './platform/lazy-states.tsx'

/**
 * The program of the frame in which a part of an isolated module is drawn. It loads the module like the portal does, from a
 * registry of this one module. Whatever leaves the frame goes over the port to the portal.
 */
guardHead()
statesFrom(() => import(/* webpackChunkName: "states" */ './platform/states/states.tsx'))
startWorkers()
document.documentElement.classList.add('in-frame')
// The loader, which has fetched this program, passes the port on.
window.addEventListener('message', ({ data, source, ports: [port] }) => {
  if (source === window.parent && data === portMessage && port) listen(port)
})
