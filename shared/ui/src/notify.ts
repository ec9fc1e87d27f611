import type { ReactNode } from 'react'

/** What a message says. `detail` is the second line; `reference` names our log; `action` is the one next step. */
export type Message = {
  tone: 'good' | 'bad' | 'info'
  title: ReactNode
  detail?: ReactNode
  reference?: string
  action?: { label: string; onSelect: () => void }
}

/** The event that carries a message to the one `Toaster` of the page, across separately built modules. */
export const messageEvent = 'portal:message'

// A listener acknowledges by cancelling the event; a message sent before the Toaster is mounted is sent once more.
const emit = (message: Message) =>
  window.dispatchEvent(new CustomEvent<Message>(messageEvent, { detail: message, cancelable: true }))

const send =
  (tone: Message['tone']) =>
  (title: ReactNode, rest: Omit<Message, 'tone' | 'title'> = {}) => {
    const message = { tone, title, ...rest }
    if (emit(message)) setTimeout(() => emit(message), 50)
  }

/** Toasts: successes, failures and background work. */
export const notify = { success: send('good'), error: send('bad'), info: send('info') }
