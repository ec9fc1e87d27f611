import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { type Message, messageEvent } from './notify.ts'

const icons: Record<Message['tone'], IconName> = { good: 'good', bad: 'bad', info: 'info' }

type Shown = Message & { key: number }

/** An error stays until it is closed, because its reference may be copied. */
const stayFor = ({ tone, detail }: Message) =>
  tone === 'bad' ? Number.POSITIVE_INFINITY : detail ? 8000 : 5000

type ToastProps = {
  message: Shown
  paused: boolean
  /** Its time is over. */
  onEnd: () => void
  /** A button in it was pressed. */
  onClose: () => void
}

function Toast({ message, paused, onEnd, onClose }: ToastProps) {
  const { t } = useLingui()
  useCountdown(stayFor(message), !paused, onEnd)
  const { tone, title, detail, reference, action } = message
  return (
    <div className={`toast ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[tone]} />
      <span className="strong pre-line">{title}</span>
      <IconButton icon="x" label={t`Close`} onClick={onClose} />
      {(detail || reference || action) && (
        <p className="pre-line">
          {detail}
          {reference && (
            <>
              {' '}
              <Trans>Reference {reference}.</Trans>
            </>
          )}
          {action && (
            <>
              {' '}
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  onClose()
                  action.onSelect()
                }}
              >
                {action.label}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** Counts the time of a message down while `running`, and then closes it. */
function useCountdown(ms: number, running: boolean, onEnd: () => void) {
  const left = useRef(ms)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!running || !Number.isFinite(left.current)) return
    const began = performance.now()
    const timer = setTimeout(end, left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - began
    }
  }, [running])
}

/** More messages would cover the page: the oldest goes, a failure only if there is nothing else. */
const most = 4
function withRoom(messages: Shown[]): Shown[] {
  if (messages.length <= most) return messages
  const goes = messages.filter(({ tone }, at) => at > 0 && tone !== 'bad').at(-1) ?? messages.at(-1)
  return messages.filter((message) => message !== goes)
}

let count = 0

/**
 * Where messages appear, once per page: on wide screens bottom left of the content, or of the window while a dialog is
 * open; on phones at the bottom, or under the top bar while a dialog is open. So they cover neither the head of a page
 * nor the actions of pages (top right), of dialogs (bottom right) and of sheets (bottom). They wait while somebody reads
 * them. The page draws it in a live region that is there before any dialog: one that is added later is hidden from screen
 * readers while the dialog is open. Written by hand: the libraries for it put style elements into the page, which the
 * policy forbids.
 */
export function Toaster() {
  const { t } = useLingui()
  const [messages, setMessages] = useState<Shown[]>([])
  const [paused, setPaused] = useState(false)
  const before = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const listen = (event: Event) => {
      event.preventDefault()
      const message = { ...(event as CustomEvent<Message>).detail, key: ++count }
      setMessages((shown) => withRoom([message, ...shown]))
    }
    window.addEventListener(messageEvent, listen)
    return () => window.removeEventListener(messageEvent, listen)
  }, [])
  const end = (key: number) => setMessages((shown) => shown.filter((message) => message.key !== key))
  const close = (key: number) => {
    // The browser would drop the focus with the button, and not say that it has left.
    const back = before.current?.isConnected ? before.current : document.getElementById('page')
    back?.focus({ preventScroll: true })
    end(key)
  }
  return (
    <section
      className="toaster"
      aria-label={t`Messages`}
      data-above
      onPointerEnter={() => setPaused(true)}
      // The countdown waits while the focus or the pointer is inside.
      onPointerLeave={({ currentTarget }) => setPaused(currentTarget.contains(document.activeElement))}
      onFocus={({ currentTarget, relatedTarget }) => {
        setPaused(true)
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null
      }}
      onBlur={({ currentTarget }) => setPaused(currentTarget.matches(':hover'))}
    >
      {messages.map((message) => (
        <Toast
          key={message.key}
          message={message}
          paused={paused}
          onEnd={() => end(message.key)}
          onClose={() => close(message.key)}
        />
      ))}
    </section>
  )
}
