import { portMessage } from '@portal/sdk/frames'
import { askBy } from './ask.ts'
import { removePeerConnections } from './no-peers.ts'
import { takeFiles } from './take-files.ts'

/**
 * The first script of a frame, inside of its page: asks the portal for the files that the frame's program is made of, runs
 * them in their order and hands the other port to the program.
 */
removePeerConnections(window)
const first: string[] = JSON.parse(document.currentScript?.dataset.first ?? '[]')

async function begin(port: MessagePort, files: MessagePort) {
  const run = takeFiles(askBy(files))
  // Asked for at once. The portal gives up a frame whose program does not come.
  const texts = await Promise.all(first.map((path) => run.ask(path)))
  for (const [at, path] of first.entries()) run.now(path, texts[at] ?? '')
  window.dispatchEvent(
    new MessageEvent('message', { data: portMessage, source: window.parent, ports: [port] }),
  )
}

window.addEventListener(
  'message',
  ({ data, source, ports: [port, files] }) => {
    if (source === window.parent && data === portMessage && port && files) void begin(port, files)
  },
  { once: true },
)
