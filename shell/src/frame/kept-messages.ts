import { type Message, messageEvent } from '@portal/ui/notify'

const kept: Message[] = []

function keep(event: Event) {
  if (event.defaultPrevented) return
  event.preventDefault()
  kept.push((event as CustomEvent<Message>).detail)
}

/** Keeps what is said while the piece that shows it is still on its way. */
export function keepMessages(): void {
  window.addEventListener(messageEvent, keep)
}

/** Says again what was kept; from now on whoever listens hears it at first hand. */
export function sayKept(): void {
  window.removeEventListener(messageEvent, keep)
  for (const detail of kept.splice(0))
    window.dispatchEvent(new CustomEvent(messageEvent, { detail, cancelable: true }))
}
