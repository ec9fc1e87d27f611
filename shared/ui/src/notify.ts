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

const send =
  (tone: Message['tone']) =>
  (title: ReactNode, more: Omit<Message, 'tone' | 'title'> = {}) => {
    window.dispatchEvent(new CustomEvent<Message>(messageEvent, { detail: { tone, title, ...more } }))
  }

/** Messages that pass: what was done, what failed, what goes on in the background. */
export const notify = { success: send('good'), error: send('bad'), info: send('info') }
