import { portMessage } from '@portal/sdk/frames'
import * as v from 'valibot'
import { registerDirty } from '../../session/dirty.ts'
import type { BuildRef } from '../builds.ts'
import { notify } from '../notify.ts'
import { callsFor } from './calls.ts'
import { carryEvents } from './carry-events.ts'
import { carrySteps } from './carry-steps.ts'
import { giveFiles } from './give-files.ts'
import { type FrameFault, FromFrame, type FromPortal, type Part } from './protocol.ts'
import { takePulse } from './pulse.ts'

/** Files that a frame saves are so far apart, in milliseconds. */
const savesEvery = 1_000

/** What a frame says of how it looks. */
export type Look = Extract<FromFrame, { kind: 'drawn' | 'title' | 'size' | 'dialog' | 'outdated' }>

type Options = {
  of: BuildRef
  part: Part
  /** What the frame begins with, read when it is ready. */
  start: () => Omit<Extract<FromPortal, { kind: 'start' }>, 'kind' | 'part' | 'aborts'>
  onLook: (look: Look) => void
  onFault: (fault: FrameFault) => void
}

/** Connects the portal with the frame of an isolated module. The answer sends to it; `end` takes everything back. */
export function connect(frame: HTMLIFrameElement, { of, part, start, onLook, onFault }: Options) {
  const { port1: port, port2 } = new MessageChannel()
  const files = new MessageChannel()
  let open = true
  const send = (message: FromPortal) => open && port.postMessage(message)
  const calls = callsFor(of, send)
  const events = carryEvents(of, send)
  const steps = carrySteps(frame, part, send)
  const mark = markDirty()
  const save = saveFrom(frame, calls.fileOf)
  const end = () => {
    open = false
    events.end()
    calls.end()
    pulse.end()
    port.close()
    files.port1.close()
    mark(false)
  }
  const giveUp = (fault: FrameFault) => {
    if (!open) return
    end()
    onFault(fault)
  }
  const pulse = takePulse(() => send({ kind: 'ping' }), giveUp)

  function hear(message: FromFrame) {
    if (message.kind === 'ready') {
      pulse.ready()
      return send({ kind: 'start', part, aborts: true, ...start() })
    }
    if (message.kind === 'call') return void calls.call(message).then(send)
    if (message.kind === 'abort') return calls.abort(message.id)
    if (message.kind === 'publish') return void events.publish(message)
    if (message.kind === 'dirty') return mark(message.dirty)
    if (message.kind === 'say') return say(message)
    if (message.kind === 'go') return steps.go(message)
    if (message.kind === 'save') return save(message)
    if (message.kind === 'key') return document.activeElement === frame ? press(message) : undefined
    if (message.kind !== 'alive') onLook(message)
  }

  port.onmessage = ({ data }) => {
    if (!open || !pulse.heard()) return
    const read = v.safeParse(FromFrame, data)
    if (!read.success) return giveUp('strange')
    hear(read.output)
  }
  giveFiles(files.port1, of, { onAsked: pulse.asked, onLost: pulse.lost, onFault: giveUp })
  // The frame has no origin that could be named. What it gets here are the ports, and nothing else.
  const deliver = () => {
    pulse.loaded()
    frame.contentWindow?.postMessage(portMessage, '*', [port2, files.port2])
  }
  frame.addEventListener('load', deliver, { once: true })
  return { send, follow: steps.follow, end }
}

/** Lets what is typed in a frame count as unsaved. */
function markDirty() {
  let clean: (() => void) | undefined
  return (dirty: boolean) => {
    if (dirty) clean ??= registerDirty()
    else {
      clean?.()
      clean = undefined
    }
  }
}

/** Saves what a call has answered, for somebody who is in the frame, and not many at once. */
function saveFrom(frame: HTMLIFrameElement, fileOf: (id: number) => Blob | undefined) {
  let saved = 0
  return ({ id, name }: Extract<FromFrame, { kind: 'save' }>) => {
    const file = fileOf(id)
    if (!file || document.activeElement !== frame || performance.now() - saved < savesEvery) return
    saved = performance.now()
    void import('@portal/screens/ExportButton').then(({ saveFile }) => saveFile(file, name))
  }
}

/** Shows a message of the module in the portal's page. */
function say({ tone, title, detail, reference }: Extract<FromFrame, { kind: 'say' }>) {
  notify[tone](title, { ...(detail && { detail }), ...(reference && { reference }) })
}

/** Presses a key in the portal's page, so that its shortcuts work while a frame has the focus. */
function press({ key, ctrl: ctrlKey, meta: metaKey }: Extract<FromFrame, { kind: 'key' }>) {
  window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, cancelable: true }))
}
