import { act } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type LazyFile, lazyFile, useLazy } from './lazy.ts'
import { draw } from './test-render.tsx'

test('a file that two parts of a page need is fetched once, and again after a failure', async () => {
  let online = false
  const load = vi.fn(async () => {
    if (!online) throw new Error('no connection')
    return 'words'
  })
  const file = lazyFile(load)
  file.prefetch()
  await expect(file.fetch()).rejects.toThrow('no connection')
  expect(load).toHaveBeenCalledTimes(1)
  expect(file.loaded).toBeUndefined()
  online = true
  expect(await Promise.all([file.fetch(), file.fetch()])).toEqual(['words', 'words'])
  expect(load).toHaveBeenCalledTimes(2)
  expect(file.loaded).toBe('words')
})

test('a person without a connection gets a part of the frame as soon as the connection is back', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let online = false
  const load = vi.fn(async () => {
    if (!online) throw new Error('no connection')
    return 'Notices'
  })
  const file = lazyFile(load)
  const Part = ({ wanted }: { wanted: boolean }) => <p>{useLazy(file, { wanted }) ?? 'waiting'}</p>
  const { box, again, end } = await draw(<Part wanted={false} />)
  expect(load).not.toHaveBeenCalled()
  await again(<Part wanted />)
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(load).toHaveBeenCalledTimes(2)
  expect(box.textContent).toBe('waiting')
  online = true
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(box.textContent).toBe('Notices')
  await end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a developer goes on reading what is drawn until its changed file has arrived', async () => {
  const Part = ({ file }: { file: LazyFile<string> }) => <p>{useLazy(file) ?? 'waiting'}</p>
  const { box, again, end } = await draw(<Part file={lazyFile(async () => 'Notices')} />)
  expect(box.textContent).toBe('Notices')
  const arrival = Promise.withResolvers<string>()
  await again(<Part file={lazyFile(() => arrival.promise)} />)
  expect(box.textContent).toBe('Notices')
  await act(async () => arrival.resolve('All notices'))
  expect(box.textContent).toBe('All notices')
  await end()
})
