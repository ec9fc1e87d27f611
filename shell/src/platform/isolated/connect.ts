import { createPath } from 'react-router-dom'
import * as v from 'valibot'
import { registerDirty } from '../../session/dirty.ts'
import type { BuildRef } from '../builds.ts'
import { notify } from '../notify.ts'
import { navigate, tabRouter } from '../tab-router.ts'
import { callsFor } from './calls.ts'
import { FromFrame, type FromPortal, portMessage } from './protocol.ts'

/** Why a frame was given up: it does not answer, it says what nobody understands, or it says too much. */
export type FrameFault = 'silent' | 'strange' | 'noisy'

const pingEvery = 3_000
/** A frame that does not answer for so long has hung. Starting may take longer, on a slow line. */
const silentFor = 10_000
const startsWithin = 40_000
/** Messages of a frame in ten seconds. */
const atMost = 400

type Options = {
  of: BuildRef
  /** What the frame begins with, read when it is ready. */
  start: () => Omit<Extract<FromPortal, { kind: 'start' }>, 'kind'>
  onFault: (fault: FrameFault) => void
}

/** Connects the portal with the frame of an isolated module. The answer sends to it; `end` takes everything back. */
export function connect(frame: HTMLIFrameElement, { of, start, onFault }: Options) {
  const { port1: port, port2 } = new MessageChannel()
  const call = callsFor(of)
  let clean: (() => void) | undefined
  let heard = performance.now() + startsWithin - silentFor
  let said = 0
  let open = true

  const send = (message: FromPortal) => open && port.postMessage(message)
  const end = () => {
    open = false
    clearInterval(pings)
    port.close()
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
    if (message.kind === 'ready') return send({ kind: 'start', ...start() })
    if (message.kind === 'call') return void call(message).then(send)
    if (message.kind === 'dirty') return mark(message.dirty)
    if (message.kind === 'say') {
      const { tone, title, detail, reference } = message
      return notify[tone](title, { ...(detail && { detail }), ...(reference && { reference }) })
    }
    if (message.kind !== 'go') return
    const { location } = tabRouter()?.state ?? {}
    if (location && createPath(location) !== message.to) navigate(message.to, { replace: message.replace })
  }

  port.onmessage = ({ data }) => {
    if (!open) return
    heard = performance.now()
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
    if (document.hidden) heard = Math.max(heard, performance.now())
    if (performance.now() - heard > silentFor) return giveUp('silent')
    send({ kind: 'ping' })
  }, pingEvery)

  // The frame has no origin that could be named. What it gets here is the port, and nothing else.
  const deliver = () => frame.contentWindow?.postMessage(portMessage, '*', [port2])
  frame.addEventListener('load', deliver, { once: true })
  return { send, end }
}
