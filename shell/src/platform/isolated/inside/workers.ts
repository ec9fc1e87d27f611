import { integrityFor } from '../../integrity.ts'

/**
 * A frame has no origin, so the browser starts none of its workers by an address. Their scripts are fetched, checked against
 * their hash and started from memory. A worker still knows its address, by which it fetches what lies beside it.
 */
export function startWorkers(): void {
  const Native = window.Worker
  window.Worker = class extends FetchedWorker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(String(address), (script) => new Native(script, options))
    }
  }
}

class FetchedWorker extends EventTarget implements Worker {
  onmessage: Worker['onmessage'] = null
  onmessageerror: Worker['onmessageerror'] = null
  onerror: Worker['onerror'] = null
  #started: Promise<Worker>
  #ended = false

  constructor(address: string, open: (script: string) => Worker) {
    super()
    this.#started = scriptOf(address).then((script) => this.#listen(open(script)))
    this.#started.catch(({ message }) => this.#pass(new ErrorEvent('error', { message })))
  }

  #listen(worker: Worker): Worker {
    if (this.#ended) worker.terminate()
    worker.onmessage = ({ data, ports }) =>
      this.#pass(new MessageEvent('message', { data, ports: [...ports] }))
    worker.onmessageerror = () => this.#pass(new MessageEvent('messageerror'))
    worker.onerror = ({ message }) => this.#pass(new ErrorEvent('error', { message }))
    return worker
  }

  #pass(event: Event) {
    const handler = { message: this.onmessage, messageerror: this.onmessageerror, error: this.onerror }[
      event.type
    ]
    handler?.call(this, event as MessageEvent & ErrorEvent)
    this.dispatchEvent(event)
  }

  postMessage(message: unknown, given?: Transferable[] | StructuredSerializeOptions): void {
    const transfer = Array.isArray(given) ? given : (given?.transfer ?? [])
    // The message is copied now, because it may change before the worker has started.
    const sent = transfer.length > 0 ? message : structuredClone(message)
    this.#started.then((worker) => worker.postMessage(sent, transfer)).catch(() => undefined)
  }

  terminate(): void {
    this.#ended = true
    this.#started.then((worker) => worker.terminate()).catch(() => undefined)
  }
}

/** The address in memory of a worker's script. One that the module made itself is in memory already. */
async function scriptOf(address: string): Promise<string> {
  const { href, protocol, origin, pathname } = new URL(address, document.baseURI)
  if (protocol === 'blob:') return href
  const integrity = integrityFor(origin === location.origin ? pathname : origin + pathname)
  if (!integrity) throw new Error(`${pathname} is no file of this module.`)
  const script = await (await fetch(href, { integrity })).text()
  const place = `Object.defineProperty(self, 'location', { value: new URL(${JSON.stringify(href)}) });\n`
  return URL.createObjectURL(new Blob([place, script], { type: 'text/javascript' }))
}
