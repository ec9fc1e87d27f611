import type { Client } from '@portal/client/client'
import { currentLocale } from '@portal/i18n/locale'
import { type Extensions, HostContext, QueryClientProvider } from '@portal/sdk'
import { notify } from '@portal/ui/notify'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { type Answers, fakePortal } from '../harness/fake-portal.ts'
import { sampleAnswers } from './samples.ts'

export type StageProps = {
  /** Responses that this piece gets besides those of all pieces. */
  answers?: Answers | undefined
  /** What modules add to this piece. */
  extensions?: Extensions | undefined
  /** No call is answered, so that the piece shows how it waits. */
  silent?: boolean | undefined
}

const silence = (): Promise<never> => new Promise(() => undefined)

/** A portal of its own for one piece: its state stands in an address of its own, and no other piece gets its answers. */
export function Stage({ answers, extensions, silent, children }: StageProps & { children: ReactNode }) {
  const [host] = useState(() => {
    const { host } = fakePortal({ locale: currentLocale(), answers: { ...sampleAnswers, ...answers } })
    const messages = { good: notify.success, bad: notify.error, info: notify.info }
    const client: Client = silent ? { call: silence, file: silence } : host.client
    return { ...host, client, notify: messages, ...(extensions && { extensions }) }
  })
  return (
    <HostContext value={host}>
      <QueryClientProvider client={host.queryClient}>
        <MemoryRouter>{children}</MemoryRouter>
      </QueryClientProvider>
    </HostContext>
  )
}
