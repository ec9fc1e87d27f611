import { create } from 'zustand'

/** A tab that runs an older generation than the one now served fetches the whole document at its next step. */
export const useStale = create<{ stale: boolean }>(() => ({ stale: false }))

/** Whether there is a newer build of what runs here. */
export const isStale = (): boolean => useStale.getState().stale

/** How often a tab asks for the generation; an unchanged one is a 304. */
const interval = 60_000

/** Asks for the generation from time to time, and whenever the tab is looked at again; never while it is hidden. */
export function watchGeneration(current: number): void {
  let last = Date.now()
  let etag = ''
  const ask = async () => {
    if (isStale() || document.hidden || Date.now() - last < 30_000) return
    last = Date.now()
    const headers = { 'X-Poll': '1', ...(etag && { 'If-None-Match': etag }) }
    const answer = await fetch('/modules.json', { headers }).catch(() => null)
    if (!answer?.ok) return
    etag = answer.headers.get('etag') ?? ''
    const { generation } = (await answer.json()) as { generation: number }
    if (generation !== current) useStale.setState({ stale: true })
  }
  document.addEventListener('visibilitychange', () => void ask())
  setInterval(() => void ask(), interval)
}
