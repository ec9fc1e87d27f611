import { portMessage } from '@portal/sdk/frames'
import { createPath } from 'react-router-dom'
import * as v from 'valibot'
import { registerDirty } from '../../session/dirty.ts'
import type { BuildRef } from '../builds.ts'
import { notify } from '../notify.ts'
import { navigate, tabRouter } from '../tab-router.ts'
import { callsFor } from './calls.ts'
import { carryEvents } from './carry-events.ts'
import { giveFiles } from './give-files.ts'
import { type FrameFault, FromFrame, type FromPortal, type Part } from './protocol.ts'

const pingEvery = 3_000
/**
 * A frame that leaves so many pings without an answer has hung. Pings are counted, and not time: while the browser asks whether
 * to leave, no timer runs. Starting may take longer, on a slow line.
 */
const hungAfter = 3
const notStartedAfter = 13
/** Its first script runs before its page is loaded, and asks for the program within a moment. */
const asksAfter = 1
/** Files that a frame saves are so far apart, in milliseconds. */
const savesEvery = 1_000
/** Messages of a frame in ten seconds. */
const atMost = 400

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
  let saved = 0
  let clean: (() => void) | undefined
  let unanswered = hungAfter - notStartedAfter
  let said = 0
  let open = true
  let isReady = false
  let isLoaded = false
  /** Pings since its page was loaded. */
  let waited = 0
  /** Whether it has asked for a file. The page of a proxy, or of an error, does not. */
  let isAsked = false
  /** The last step of the frame. */
  let step = 0

  const send = (message: FromPortal) => open && port.postMessage(message)
  const calls = callsFor(of, send)
  const events = carryEvents(of, send)
  const end = () => {
    open = false
    events.end()
    calls.end()
    clearInterval(pings)
    port.close()
    files.port1.close()
    clean?.()
    clean = undefined
  }
  const giveUp = (fault: FrameFault) => {
    if (!open) return
    end()
    onFault(fault)
  }

  const mark = (dirty: boolean) => {
    if (dirty) clean ??= registerDirty()
    else {
      clean?.()
      clean = undefined
    }
  }

  function hear(message: FromFrame) {
    if (message.kind === 'ready') {
      isReady = true
      return send({ kind: 'start', part, aborts: true, ...start() })
    }
    if (message.kind === 'call') return void calls.call(message).then(send)
    if (message.kind === 'abort') return calls.abort(message.id)
    if (message.kind === 'publish') return void events.publish(message)
    if (message.kind === 'dirty') return mark(message.dirty)
    if (message.kind === 'say') {
      const { tone, title, detail, reference } = message
      return notify[tone](title, { ...(detail && { detail }), ...(reference && { reference }) })
    }
    if (message.kind === 'go') return go(message)
    if (message.kind === 'save') return save(message)
    if (message.kind === 'key') return document.activeElement === frame ? press(message) : undefined
    if (message.kind !== 'alive') onLook(message)
  }

  /** Saves what a call has answered, for somebody who is in the frame, and not many at once. */
  function save({ id, name }: Extract<FromFrame, { kind: 'save' }>) {
    const file = calls.fileOf(id)
    if (!file || document.activeElement !== frame || performance.now() - saved < savesEvery) return
    saved = performance.now()
    void import('@portal/screens/ExportButton').then(({ saveFile }) => saveFile(file, name))
  }

  function go({ to, replace, ...message }: Extract<FromFrame, { kind: 'go' }>) {
    step = message.step ?? step
    const { location } = tabRouter()?.state ?? {}
    if (!location || createPath(location) === to) return
    // Only a page leads on by itself. A part of another page does when somebody is in it.
    if (part.kind === 'page' || document.activeElement === frame) navigate(to, { replace })
  }

  /** Tells the frame of the portal's address. */
  function follow(place: string) {
    const { location, navigation } = tabRouter()?.state ?? {}
    // The portal is on its way to another one: perhaps to where the frame is already.
    if (!location || navigation?.state !== 'idle' || createPath(location) !== place) return
    send({ kind: 'place', place, step })
  }

  port.onmessage = ({ data }) => {
    if (!open) return
    unanswered = 0
    said += 1
    if (said > atMost) return giveUp('noisy')
    const read = v.safeParse(FromFrame, data)
    if (!read.success) return giveUp('strange')
    hear(read.output)
  }

  let rounds = 0
  const pings = setInterval(() => {
    rounds += 1
    if (rounds % 3 === 0) said = 0
    // A tab in the background is not asked: its timers and those of the frame are slowed down.
    if (document.hidden) unanswered = Math.min(unanswered, 0)
    if (unanswered >= hungAfter) return giveUp('silent')
    unanswered += 1
    if (isLoaded && !document.hidden) waited += 1
    if (waited > asksAfter && !isAsked && !isReady) return giveUp('unreachable')
    send({ kind: 'ping' })
  }, pingEvery)

  giveFiles(files.port1, of, {
    onAsked: () => (isAsked = true),
    // Without its program a frame will never answer.
    onLost: () => isReady || giveUp('unreachable'),
    onFault: giveUp,
  })
  // The frame has no origin that could be named. What it gets here are the ports, and nothing else.
  const deliver = () => {
    isLoaded = true
    frame.contentWindow?.postMessage(portMessage, '*', [port2, files.port2])
  }
  frame.addEventListener('load', deliver, { once: true })
  return { send, follow, end }
}

/** Presses a key in the portal's page, so that its shortcuts work while a frame has the focus. */
function press({ key, ctrl: ctrlKey, meta: metaKey }: Extract<FromFrame, { kind: 'key' }>) {
  window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, cancelable: true }))
}
