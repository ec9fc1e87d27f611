import { currentLocale } from '@portal/i18n/locale'
import { storedTheme } from '@portal/ui/theme'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPath, useLocation } from 'react-router-dom'
import { useSessionStore } from '../../session/session.ts'
import type { BuildRef } from '../builds.ts'
import { newReference } from '../failures.ts'
import { useRenewals } from '../renewals.ts'
import { reportFault } from '../reports.ts'
import { connect, type Look } from './connect.ts'
import type { FrameFault, Part } from './protocol.ts'

type Props = {
  of: BuildRef
  origin: string
  /** What of the module is drawn. Another part needs another element: give it a key. */
  part: Part
  /** What readers call the frame. */
  title: string
  /** Stands in its place until something is drawn. */
  waiting: ReactNode
  /** Stands in its place when it was given up. */
  failed: (fault: FrameFault, reference: string, reload: () => void) => ReactNode
}

/** The tallest part. What is longer scrolls inside. */
const tallest = 2_000

/**
 * A process that hangs ends a moment after its frames are gone. Until then browsers put new frames of the same origin into
 * it, where they would hang as well.
 */
const endsWithin = 5_000
const hungAt = new Map<string, number>()
const untilFree = (origin: string) => (hungAt.get(origin) ?? -endsWithin) + endsWithin - performance.now()

function useFreeProcess(origin: string): boolean {
  const [free, setFree] = useState(() => untilFree(origin) <= 0)
  useEffect(() => {
    if (free) return
    const timer = setTimeout(() => setFree(true), untilFree(origin))
    return () => clearTimeout(timer)
  }, [free, origin])
  return free
}

/** A part of an isolated module in its frame, or what happened to it. */
export function PartFrame(props: Props) {
  const { of, origin, failed } = props
  const [given, setGiven] = useState<{ fault: FrameFault; reference: string } | null>(null)
  const { pathname } = useLocation()
  const onFault = (fault: FrameFault) => {
    const reference = newReference()
    if (fault === 'silent') hungAt.set(origin, performance.now())
    const reason = fault === 'unreachable' ? fault : 'crash'
    reportFault(of, reason, reference, `The frame was given up: ${fault}`, pathname)
    setGiven({ fault, reference })
  }
  const [times, setTimes] = useState(0)
  const onOutdated = async () => {
    if (!of.override && !of.changes) return
    const { whenClean } = await import('../developed.ts')
    whenClean(() => setTimes(times + 1))
  }
  if (given) return failed(given.fault, given.reference, () => setGiven(null))
  return <FramedSoon key={times} {...props} onFault={onFault} onOutdated={() => void onOutdated()} />
}

type FrameProps = Props & {
  onFault: (fault: FrameFault) => void
  /** The module is being developed, and this frame cannot take what has changed. */
  onOutdated: () => void
}

const FramedSoon = (props: FrameProps) =>
  useFreeProcess(props.origin) ? <Frame {...props} /> : props.waiting

function Frame({ of, origin, part, title, waiting, onFault, onOutdated }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [look, setLook] = useState({ drawn: false, heading: '', height: 0 })
  const onLook = (message: Look) => (message.kind === 'outdated' ? onOutdated() : setLook(seen(message)))
  const locale = useConnection({ frame, of, part, onFault, onLook })
  const isPage = part.kind === 'page'
  useFramed(isPage)
  const height = Math.min(look.height, tallest)
  // The address of the frame stays as it was: another one would load it anew.
  const [address] = useState(() => {
    const query = new URLSearchParams({ lang: locale, ...(of.override && machineOf(of)) })
    return `${origin}/frame/${of.name}/${of.build}?${query}`
  })
  return (
    <div className="frame-place">
      {!look.drawn && waiting}
      <iframe
        ref={frame}
        className={`${isPage ? 'module-frame' : 'part-frame'} ${look.drawn ? '' : 'not-drawn'}`.trim()}
        title={title}
        // The page's heading, for the tab and the way to it.
        data-title={isPage ? look.heading : undefined}
        style={isPage || !height ? undefined : { height }}
        // Without `allow-forms` no form would tell its own page that it is sent; the policy of the page keeps it from leaving.
        sandbox="allow-scripts allow-forms"
        src={address}
      />
    </div>
  )
}

/** The styles give the frame of a page what is left of the window. Firefox 115 has no `:has()` to find the page around it. */
function useFramed(isPage: boolean) {
  useLayoutEffect(() => {
    if (!isPage) return
    const { classList } = document.documentElement
    classList.add('framed')
    return () => classList.remove('framed')
  }, [isPage])
}

/** The developer's machine that a module comes from, as the frame's page is told of it. */
function machineOf({ base, images }: BuildRef) {
  const { port, pathname } = new URL(base)
  // This page has read the manifest. The gateway cannot: it asks no machine of a developer.
  return { from: port + pathname.replace(/\/$/, ''), ...(images && { images: images.join(' ') }) }
}

type State = { drawn: boolean; heading: string; height: number }

function seen(message: Look) {
  if (message.kind === 'dialog') document.documentElement.classList.toggle('below-frame', message.open)
  return (before: State): State => {
    if (message.kind === 'drawn') return { ...before, drawn: true }
    if (message.kind === 'title') return { ...before, heading: message.text }
    return message.kind === 'size' ? { ...before, height: message.height } : before
  }
}

type Connecting = {
  frame: { current: HTMLIFrameElement | null }
  of: BuildRef
  part: Part
  onLook: (look: Look) => void
  onFault: (fault: FrameFault) => void
}

/** Connects the frame as long as it is drawn, and tells it of the address, the language and the theme. */
function useConnection({ frame, of, part, ...handlers }: Connecting) {
  const connection = useRef<ReturnType<typeof connect>>(null)
  const location = useLocation()
  const place = createPath(location)
  const locale = currentLocale()
  const latest = useRef({ place, ...handlers })
  latest.current = { place, ...handlers }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part of an element does not change
  useEffect(() => {
    if (!frame.current) return
    const start = () => {
      const { session } = useSessionStore.getState()
      if (!session?.user) throw new Error('A module was opened without a session.')
      const { place } = latest.current
      return { session, locale: currentLocale(), theme: storedTheme(), place, width: window.innerWidth }
    }
    const made = connect(frame.current, {
      ...{ of, part, start },
      onLook: (look) => latest.current.onLook(look),
      onFault: (fault) => latest.current.onFault(fault),
    })
    connection.current = made
    return () => {
      made.end()
      document.documentElement.classList.remove('below-frame')
    }
  }, [of])
  useEffect(() => {
    const tell = () => connection.current?.send({ kind: 'width', width: window.innerWidth })
    window.addEventListener('resize', tell)
    return () => window.removeEventListener('resize', tell)
  }, [])
  const session = useSessionStore((state) => state.session)
  useEffect(() => {
    if (session?.user) connection.current?.send({ kind: 'session', session })
  }, [session])
  // For each location, also one with the same path: what came between may have led the frame elsewhere.
  useEffect(() => connection.current?.follow(createPath(location)), [location])
  const served = useRenewals((renewals) => renewals.served)
  useEffect(() => {
    if (served?.build === of.build) connection.current?.send({ kind: 'served', ...served })
  }, [served, of])
  useEffect(() => {
    const tell = () => connection.current?.send({ kind: 'look', locale, theme: storedTheme() })
    tell()
    // The theme is an attribute of the document.
    const watch = new MutationObserver(tell)
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watch.disconnect()
  }, [locale])
  return locale
}
