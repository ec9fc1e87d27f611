import type { ModuleBuild } from '@portal/sdk/manifest'
import { QueryObserver } from '@tanstack/react-query'
import { createPath, type DataRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import type { FromFrame } from '../protocol.ts'
import { openFrame, openPortal, session } from '../test-frames.tsx'
import { sendBy } from './send.ts'

const at = ({ state }: DataRouter) => createPath(state.location)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const places = ({ kind }: { kind: string }) => kind === 'go' || kind === 'place'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
  document.body.innerHTML = ''
})

async function both(place: string, delayMs = 30) {
  const portal = await openPortal(place)
  if (!portal.port) throw new Error('The frame got no port.')
  const frame = await openFrame(portal.port, delayMs)
  await pause(2 * delayMs + 20)
  const before = frame.fromFrame.length + frame.fromPortal.length
  return { portal, frame, before }
}

test('a person who opens two addresses quickly in a frame ends at the second, however late the portal is', async () => {
  const { portal, frame } = await both('/admin/wells')
  const [heard, said] = [frame.fromPortal.length, frame.fromFrame.length]
  void frame.router.navigate('/admin/wells?page=1')
  await pause(10)
  void frame.router.navigate('/admin/wells?page=2')
  await pause(400)
  expect([at(frame.router), at(portal.router)]).toEqual(['/admin/wells?page=2', '/admin/wells?page=2'])
  const told = [...frame.fromPortal.slice(heard), ...frame.fromFrame.slice(said)].filter(places)
  expect(told.length).toBeLessThanOrEqual(4)
  await portal.end()
})

test('a person who goes on while a frame is starting finds it where she is', async () => {
  const portal = await openPortal('/admin/wells')
  if (!portal.port) throw new Error('The frame got no port.')
  const frame = await openFrame(portal.port, 30, async () => {
    const { addCatalogs } = await import('../../../language.ts')
    const slowly = () => [pause(100).then(() => ({ messages: {} }))]
    void addCatalogs({ en: slowly, fr: slowly })
    await portal.router.navigate('/admin/wells?page=2')
  })
  await vi.waitFor(() => expect(at(frame.router)).toBe('/admin/wells?page=2'))
  expect(at(portal.router)).toBe('/admin/wells?page=2')
  await portal.end()
})

test('a person who goes back twice quickly is where she went, in the portal and in the frame', async () => {
  const { portal, frame } = await both('/admin/wells')
  for (const page of [1, 2, 3]) {
    await portal.router.navigate(`/admin/wells?page=${page}`)
    await pause(100)
  }
  void portal.router.navigate(-1)
  await pause(10)
  void portal.router.navigate(-1)
  await pause(400)
  expect([at(frame.router), at(portal.router)]).toEqual(['/admin/wells?page=1', '/admin/wells?page=1'])
  await portal.end()
})

test('a frame of the sdk before, which numbers nothing, is followed and leads as before', async () => {
  const { portal, frame } = await both('/admin/wells')
  const { port } = portal
  port?.postMessage({ kind: 'go', to: '/admin/wells?page=1', replace: false })
  await vi.waitFor(() => expect(at(portal.router)).toBe('/admin/wells?page=1'))
  await vi.waitFor(() => expect(at(frame.router)).toBe('/admin/wells?page=1'))
  expect(portal.faults).toEqual([])
  await portal.end()
})

test('a person who goes back within one page of a frame keeps the guard of what she typed', async () => {
  const { portal, frame } = await both('/admin/wells/form?tab=1')
  frame.registerDirty()
  await portal.router.navigate('/admin/wells/form?tab=2')
  await vi.waitFor(() => expect(at(frame.router)).toBe('/admin/wells/form?tab=2'))
  expect(frame.useLeaving.getState().forms.size).toBe(1)
  // Another page is entered only after she has agreed to leave.
  await portal.router.navigate('/admin/wells')
  await vi.waitFor(() => expect(at(frame.router)).toBe('/admin/wells'))
  expect(frame.useLeaving.getState().forms.size).toBe(0)
  await portal.end()
})

test('a person who signs in again finds in a frame what was refused before', async () => {
  const { fetch } = globalThis
  const refused = () =>
    Response.json(
      { message: 'no' },
      { status: 401, headers: { 'content-type': 'application/json; charset=utf-8' } },
    )
  let signedIn = false
  vi.stubGlobal('fetch', async (input: unknown) => {
    if (String(input).endsWith('/session')) return Response.json({ ...session, user: null })
    return signedIn ? Response.json({ wells: 3 }) : refused()
  })
  vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const { portal, frame } = await both('/admin/wells')
  const observer = new QueryObserver(frame.queryClient, {
    queryKey: ['wells'],
    queryFn: async () => {
      const answer = await globalThis.fetch('/api/admin/schools/list')
      if (!answer.ok) throw new Error(String(answer.status))
      return answer.json()
    },
    retry: false,
  })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('error'))
  signedIn = true
  portal.useSessionStore.getState().begin({ ...session })
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ wells: 3 }))
  stop()
  await portal.end()
  vi.stubGlobal('fetch', fetch)
})

test('a person who types on tells the portal to leave the earlier search of a frame alone', async () => {
  const { portal, frame } = await both('/admin/wells')
  const { fetch } = globalThis
  const typing = new AbortController()
  const searching = globalThis.fetch('/api/admin/schools/list?search=a', { signal: typing.signal })
  typing.abort()
  await expect(searching).rejects.toThrow('aborted')
  await vi.waitFor(() => expect(frame.fromFrame.at(-1)).toEqual({ kind: 'abort', id: 1 }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(portal.faults).toEqual([])
  await portal.end()
  globalThis.fetch = fetch
})

test('a portal of before is told of no call that was left alone: it would give the frame up', () => {
  const said: FromFrame[] = []
  const { send, mayAbort } = sendBy({ postMessage: (message: FromFrame) => said.push(message) })
  send({ kind: 'abort', id: 1 })
  expect(said).toEqual([])
  mayAbort()
  send({ kind: 'abort', id: 1 })
  expect(said).toHaveLength(1)
})

test('a module that publishes more than an event may carry reads why, and its frame stays', async () => {
  const { carryEventsByPort } = await import('./events-by-port.ts')
  const said: FromFrame[] = []
  carryEventsByPort((message) => said.push(message))
  const { eventsOf } = await import('../../events.ts')
  const events = await eventsOf({ name: 'mfe-wells', events: [{ id: 'dry' }] } as unknown as ModuleBuild)
  const publish = events?.publish as (event: string, payload: unknown) => Promise<void>
  const large = publish('mfe-wells:dry', { text: 'x'.repeat(4_000) })
  await expect(large).rejects.toThrow(/at most 4000 characters/)
  expect(said).toEqual([])
})
