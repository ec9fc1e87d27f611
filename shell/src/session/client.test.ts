import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'

test('a person whose page started without a connection gets what failed once the connection is back', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { queryClient } = await import('./client.ts')
  queryClient.mount()
  const observer = new QueryObserver(queryClient, {
    queryKey: ['schools'],
    queryFn: async () => {
      if (!navigator.onLine) throw new Error('no connection')
      return 'schools'
    },
    retry: false,
    networkMode: 'always',
    refetchOnReconnect: 'always',
  })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().status).toBe('error')
  onLine.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await expect.poll(() => observer.getCurrentResult().data).toBe('schools')
  stop()
  queryClient.unmount()
})
