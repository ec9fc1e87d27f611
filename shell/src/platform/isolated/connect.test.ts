import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '../../session/session.ts'
import { connect } from './connect.ts'
import type { FromPortal } from './protocol.ts'
import { of, session } from './test-frames.tsx'

const asked = vi.fn<typeof fetch>()
const pause = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))
const toSignIn = vi.hoisted(() => vi.fn())

/** The portal's side of a frame; its own side is played by hand. */
function open() {
  const faults: string[] = []
  const given: MessagePort[] = []
  const loaded: (() => void)[] = []
  const contentWindow = {
    postMessage: (_: unknown, __: string, ports: MessagePort[]) => given.push(...ports),
  }
  const frame = { contentWindow, addEventListener: (_: string, act: () => void) => loaded.push(act) }
  const connection = connect(frame as unknown as HTMLIFrameElement, {
    ...{ of, part: { kind: 'page' } },
    start: () => ({ session, locale: 'en', theme: 'light', place: '/admin/wells', width: 1000 }),
    onLook: () => {},
    onFault: (fault) => faults.push(fault),
  })
  for (const act of loaded) act()
  const [port, files] = given
  if (!port || !files) throw new Error('The frame got no ports.')
  const heard: FromPortal[] = []
  port.onmessage = ({ data }) => heard.push(data)
  const texts: unknown[] = []
  files.onmessage = ({ data }) => texts.push(data)
  const answers = () => heard.filter((message) => message.kind === 'answer')
  return { connection, faults, port, files, heard, texts, answers }
}
type Opened = ReturnType<typeof open>

const call = (id: number, path: string, method = 'GET') => ({
  ...{ kind: 'call', id, method, path, poll: false, etag: null },
  body: method === 'GET' ? null : '{}',
})
/** One round of pings. */
async function round() {
  vi.advanceTimersByTime(3_000)
  await pause(5)
}
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

let opened: Opened
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  vi.stubGlobal('fetch', asked)
  asked.mockReset()
  useSessionStore.getState().begin(session)
  vi.spyOn(window.location, 'assign').mockImplementation(toSignIn)
  toSignIn.mockReset()
  opened = open()
})
afterEach(() => {
  opened.connection.end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a person who stays when the browser asks whether to leave keeps what she typed in a frame', async () => {
  const { port, faults } = opened
  port.postMessage({ kind: 'ready' })
  await round()
  port.postMessage({ kind: 'alive' })
  await pause(5)
  // No timer runs while the browser's own question is open.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  await round()
  expect(faults).toEqual([])
  port.postMessage({ kind: 'alive' })
  for (let rounds = 0; rounds < 3; rounds += 1) await round()
  expect(faults).toEqual([])
  for (let rounds = 0; rounds < 2; rounds += 1) await round()
  expect(faults).toEqual(['silent'])
})

test('a person waits longer for a frame that starts on a slow line than for one that has hung', async () => {
  asked.mockReturnValue(new Promise(() => {}))
  opened.files.postMessage('/assets/shell.js')
  for (let rounds = 0; rounds < 12; rounds += 1) await round()
  expect(opened.faults).toEqual([])
  for (let rounds = 0; rounds < 3; rounds += 1) await round()
  expect(opened.faults).toEqual(['silent'])
})

test('a frame that asks for files in a loop, or for what is no file, is given up', async () => {
  asked.mockImplementation(async () => new Response(''))
  for (let count = 0; count < 401; count += 1) opened.files.postMessage(`/assets/a${count}.css`)
  await pause(300)
  expect(opened.faults).toEqual(['noisy'])
  opened = open()
  opened.files.postMessage({ path: 'x'.repeat(1000) })
  await pause()
  expect(opened.faults).toEqual(['strange'])
  opened = open()
  opened.files.postMessage('x'.repeat(100_000))
  await pause()
  expect(opened.faults).toEqual(['strange'])
})

test('a person sees the module of a frame that asks for a style sheet of somebody else', async () => {
  opened.port.postMessage({ kind: 'ready' })
  opened.files.postMessage('/other/site.css')
  await pause()
  expect(opened.faults).toEqual([])
  expect(opened.texts).toEqual([['/other/site.css', null]])
  expect(asked).not.toHaveBeenCalled()
})

test('a frame that publishes more than an event may carry is given up', async () => {
  for (const payload of [{ text: 'x'.repeat(4_000) }, Object.assign({}, { big: 1n })]) {
    opened = open()
    opened.port.postMessage({ kind: 'publish', id: 1, event: 'mfe-wells:dry', payload })
    await pause()
    expect(opened.faults).toEqual(['strange'])
  }
})

test('a person on a bad line gets a file of a frame that was lost once', async () => {
  asked.mockRejectedValueOnce(new TypeError('lost')).mockImplementation(async () => new Response('.a{}'))
  opened.files.postMessage('/assets/a.css')
  await vi.waitFor(() => expect(opened.texts).toEqual([['/assets/a.css', '.a{}']]), { timeout: 3_000 })
  expect(opened.faults).toEqual([])
})

test('a person whose line is gone reads that the module did not load, and not that it does not answer', async () => {
  asked.mockRejectedValue(new TypeError('lost'))
  opened.files.postMessage('/assets/a.css')
  await vi.waitFor(() => expect(opened.faults).toEqual(['unreachable']), { timeout: 3_000 })
})

test('a person reads within seconds that the page of a frame did not come', async () => {
  await round()
  await round()
  expect(opened.faults).toEqual(['unreachable'])
})

test('a person whose session was replaced while a frame was reading stays, and the frame is answered', async () => {
  asked
    .mockImplementationOnce(async () => json({ message: 'no' }, 401))
    .mockImplementationOnce(async () => json(session))
    .mockImplementation(async () => json({ schools: [] }))
  opened.port.postMessage(call(1, '/admin/schools/list'))
  await vi.waitFor(() => expect(opened.answers()).toMatchObject([{ id: 1, status: 200 }]))
  expect(toSignIn).not.toHaveBeenCalled()
  expect(useSessionStore.getState().expired).toBe(false)
})

test('a person whose session has ended is led to the sign-in after a read of a frame', async () => {
  asked.mockImplementation(async (input) =>
    String(input).endsWith('/session') ? json({ ...session, user: null }) : json({ message: 'no' }, 401),
  )
  opened.port.postMessage(call(1, '/admin/schools/list'))
  await vi.waitFor(() => expect(opened.answers()).toMatchObject([{ id: 1, status: 401 }]))
  expect(toSignIn).toHaveBeenCalledOnce()
})

test('a change of a frame that was answered 401 is never sent twice', async () => {
  asked.mockImplementation(async () => json({ message: 'no' }, 401))
  opened.port.postMessage(call(1, '/modules/mfe-wells/records/notes', 'POST'))
  await vi.waitFor(() => expect(opened.answers()).toMatchObject([{ id: 1, status: 401 }]))
  expect(asked).toHaveBeenCalledOnce()
  expect(useSessionStore.getState().expired).toBe(true)
})

test('a person who types on while a frame searches has its earlier search ended', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  asked.mockImplementation(async (_, init) => {
    signals.push(init?.signal)
    return new Promise(() => {})
  })
  opened.port.postMessage({ kind: 'ready' })
  opened.port.postMessage(call(1, '/admin/schools/list?search=a'))
  opened.port.postMessage(call(2, '/admin/schools/list?search=ab'))
  await pause()
  expect(opened.heard).toMatchObject([{ kind: 'start', aborts: true }])
  opened.port.postMessage({ kind: 'abort', id: 1 })
  opened.port.postMessage({ kind: 'abort', id: 99 })
  await pause()
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
  expect(opened.faults).toEqual([])
})

test('a person who leaves a frame ends what it reads, and not what she saves', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  asked.mockImplementation(async (_, init) => {
    signals.push(init?.signal)
    return new Promise(() => {})
  })
  opened.port.postMessage(call(1, '/admin/schools/list'))
  opened.port.postMessage(call(2, '/modules/mfe-wells/records/notes', 'POST'))
  await pause()
  opened.connection.end()
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
})
