import { type Message, messageEvent } from '@portal/ui/notify'

const kept: Message[] = []

function keep(event: Event) {
  if (event.defaultPrevented) return
  event.preventDefault()
  kept.push((event as CustomEvent<Message>).detail)
}

/** Keeps messages until the component that shows them has loaded. */
export function keepMessages(): void {
  window.addEventListener(messageEvent, keep)
}

/** Sends the kept messages again; later ones reach the listener directly. */
export function sayKept(): void {
  window.removeEventListener(messageEvent, keep)
  for (const detail of kept.splice(0))
    window.dispatchEvent(new CustomEvent(messageEvent, { detail, cancelable: true }))
}
