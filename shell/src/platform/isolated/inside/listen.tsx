import type { Session } from '@portal/contracts/session'
import { I18nProvider, i18n } from '@portal/sdk'
import { applyTheme } from '@portal/ui/theme'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import * as v from 'valibot'
import { speak } from '../../../language.ts'
import { queryClient } from '../../../session/client.ts'
import { isDirty, useLeaving } from '../../../session/dirty.ts'
import { useSessionStore } from '../../../session/session.ts'
import { addStylesToLazy } from '../../lazy-styles.ts'
import { registry } from '../../live-registry.ts'
import { askOverridden } from '../../place.ts'
import { FromPortal } from '../protocol.ts'
import { callByPort } from './calls-by-port.ts'
import { carryEventsByPort } from './events-by-port.ts'
import { drawPart } from './parts.tsx'
import { type Send, sendBy } from './send.ts'
import { passMessages, watchSigns } from './signs.ts'
import type { Follow } from './tell-places.ts'
import { standIn, watchWidth } from './width.ts'

type Place = Extract<FromPortal, { kind: 'place' }>

/** Does what the portal says over the port: draws a part of the module, and follows address, language and theme. */
export function listen(port: MessagePort): void {
  const { send, mayAbort, isAhead } = sendBy(port)
  const answered = callByPort(send)
  const heard = carryEventsByPort(send)
  passMessages(send)
  let follow: Follow | null = null
  /** Where the portal went last while the frame was starting. */
  let missed: Place | undefined
  let isRefused = false
  port.onmessage = ({ data }) => {
    const read = v.safeParse(FromPortal, data)
    if (!read.success) return
    const message = read.output
    if (message.kind === 'ping') return send({ kind: 'alive' })
    if (message.kind === 'answer' || message.kind === 'progress') {
      isRefused ||= message.kind === 'answer' && message.status === 401
      return answered(message)
    }
    if (message.kind === 'event' || message.kind === 'published') return heard(message)
    if (message.kind === 'start') {
      if (message.aborts) mayAbort()
      return void start(message, send).then((made) => {
        follow = made
        if (missed && !isAhead(missed.step)) follow?.(missed.place)
      })
    }
    if (message.kind === 'served') return void takeServed(message.hash, send)
    if (message.kind === 'width') return standIn(message.width)
    if (message.kind === 'session') {
      begin(message.session)
      // She has signed in again: what was refused is there for her now.
      if (isRefused) void queryClient.invalidateQueries()
      isRefused = false
      return
    }
    if (message.kind === 'look') {
      applyTheme(message.theme)
      return void speak(message.locale)
    }
    if (!follow) missed = message
    else if (!isAhead(message.step)) follow(message.place)
  }
  send({ kind: 'ready' })
}

/** Takes a change of the module, which is being developed. If that cannot be done the portal makes the frame anew. */
async function takeServed(hash: string, send: Send) {
  const [entry] = registry.modules
  const { drawAnew, takeChange } = await import('../../developed.ts')
  const refuse = () => send({ kind: 'outdated' })
  const renew = () => (entry && !isDirty() ? drawAnew(entry) : refuse())
  if (entry) await takeChange(entry, hash, { renew, refuse })
}

/** The session as the portal has it, from now on. Signing in again is for the portal. */
function begin(session: Extract<FromPortal, { kind: 'session' }>['session']) {
  useSessionStore.getState().begin(session as unknown as Session)
  useSessionStore.setState({ expired: true })
}

async function start(message: Extract<FromPortal, { kind: 'start' }>, send: Send) {
  const root = document.getElementById('root')
  if (!root) return null
  applyTheme(message.theme)
  watchWidth()
  standIn(message.width)
  addStylesToLazy()
  begin(message.session)
  await Promise.all([speak(message.locale), askOverridden(true)])
  useLeaving.subscribe(({ forms }) => send({ kind: 'dirty', dirty: forms.size > 0 }))
  const { drawn, follow } = await drawPart(message.part, message.place, send)
  const onDrawn = () => {
    send({ kind: 'drawn' })
    watchSigns(root, message.part, send)
  }
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Started onDrawn={onDrawn}>{drawn}</Started>
      </QueryClientProvider>
    </I18nProvider>,
  )
  return follow
}

function Started({ onDrawn, children }: { onDrawn: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onDrawn, [])
  return children
}
