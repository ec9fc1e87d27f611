import { i18n } from '@lingui/core'
import { createClient } from '@portal/client/client'
import { type Host, HostContext, QueryClient, QueryClientProvider } from '@portal/sdk'
import { draw } from '@portal/ui/test-render'
import type { ReactNode } from 'react'
import { createMemoryRouter, createPath, RouterProvider } from 'react-router-dom'

type Call = { url: string; method: string; body: unknown; poll: boolean; form: string | null }
/** The answer of a test's server to a call; an Error stands for a network failure. */
export type Answers = (
  call: Call,
) => { status?: number; body: unknown } | Error | Promise<{ status?: number; body: unknown }>

/** Draws a piece inside a shell of a test: router, queries, session with every permission but `lacking`. */
export async function drawInShell(
  piece: ReactNode,
  answers: Answers,
  at = '/list',
  lacking: readonly string[] = [],
) {
  const calls: Call[] = []
  const messages: string[] = []
  const unsaved = new Set<symbol>()
  const router = createMemoryRouter([{ path: '*', element: piece }], { initialEntries: [at] })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const client = createClient({
    base: '/api',
    locale: () => i18n.locale,
    fetch: async (url, init) => {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
      const call = {
        url: String(url),
        method: init?.method ?? 'GET',
        body,
        poll: new Headers(init?.headers).has('X-Poll'),
        form: new Headers(init?.headers).get('X-Form'),
      }
      calls.push(call)
      const answer = await answers(call)
      if (answer instanceof Error) throw answer
      return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 })
    },
  })
  const host: Host = {
    module: { name: 'mfe-test', version: '1.0.0', build: '000000000000' },
    client,
    session: {
      user: { id: 1, first_name: 'Awa', last_name: 'Keïta', email: null, roles: [] },
      permissions: [],
      locale: 'en',
      settings: { demo: true, four_eyes: true },
    },
    can: (wanted) => [wanted].flat().some((each) => !lacking.includes(each)),
    queryClient,
    i18n,
    notify: {
      good: (text) => messages.push(text),
      bad: (text) => messages.push(text),
      info: (text) => messages.push(text),
    },
    navigate: (to) => messages.push(`to ${to}`),
    registerDirty: () => {
      const form = Symbol('form')
      unsaved.add(form)
      return () => void unsaved.delete(form)
    },
  }
  const drawn = await draw(
    <HostContext value={host}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </HostContext>,
  )
  return {
    ...drawn,
    calls,
    messages,
    /** What is typed and not saved: while there is any, the shell asks before the page is left. */
    unsaved,
    place: {
      /** The addresses that the component navigated to. */
      get current() {
        return createPath(router.state.location)
      },
    },
    end: async () => {
      await drawn.end()
      router.dispose()
      queryClient.clear()
    },
  }
}
