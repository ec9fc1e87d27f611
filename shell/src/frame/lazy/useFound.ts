import { useEffect, useState } from 'react'
import { isAllowed } from '../../platform/registry.ts'
import { permissionsNow } from '../../session/session.ts'
import { type Found, sources } from './search-sources.ts'

/** What each list has found so far; `failed` where one could not be asked. */
export type Search = { text: string; busy: boolean; failed: boolean; groups: Record<string, Found[]> }

const nothing: Search = { text: '', busy: false, failed: false, groups: {} }
const pause = 200
/** A single letter would match nearly everything. */
const least = 2

/** Searches all lists that this person may see at once, debounced; further typing aborts the calls. */
export function useFound(typed: string): Search {
  const text = typed.trim()
  const [search, setSearch] = useState(nothing)
  useEffect(() => {
    if (text.length < least) return setSearch(nothing)
    const stop = new AbortController()
    const asked = sources.filter(({ permission }) => isAllowed(permission, permissionsNow()))
    const ask = async () => {
      setSearch((before) => ({ ...before, text, busy: true, failed: false }))
      const groups: Record<string, Found[]> = {}
      let failed = false
      await Promise.all(
        asked.map(async ({ key, search: find }) => {
          try {
            groups[key] = await find(text, stop.signal)
          } catch {
            failed = true
          }
          if (!stop.signal.aborted) setSearch({ text, busy: true, failed, groups: { ...groups } })
        }),
      )
      if (!stop.signal.aborted) setSearch({ text, busy: false, failed, groups })
    }
    const timer = setTimeout(() => void ask(), pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return text.length < least ? nothing : search
}
