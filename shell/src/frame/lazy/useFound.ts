import { searchedList } from '@portal/contracts/searched-list'
import { useEffect, useState } from 'react'
import { client } from '../../session/client.ts'
import { type Found, foundIn, rowsPerList, type Source } from './search-sources.ts'

/** The results of each list so far, for the words `of`. `failed` if a list could not be searched. */
export type Search = {
  /** The words that are searched. The results of earlier words stay until the first answer. */
  text: string
  of: string
  busy: boolean
  failed: boolean
  groups: Record<string, Found[]>
}

const nothing: Search = { text: '', of: '', busy: false, failed: false, groups: {} }
const pause = 200
/** The fewest letters that are searched, because a single letter matches nearly everything. */
const least = 2

/** Searches all these lists at once, debounced; further typing aborts the calls. */
export function useFound(typed: string, sources: readonly Source[]): Search {
  const text = typed.trim()
  const [search, setSearch] = useState(nothing)
  useEffect(() => {
    if (text.length < least) return setSearch(nothing)
    const stop = new AbortController()
    const ask = async () => {
      setSearch((before) => ({ ...before, text, busy: true, failed: false }))
      const groups: Record<string, Found[]> = {}
      let failed = false
      await Promise.all(
        sources.map(async (source) => {
          try {
            groups[source.key] = await find(source, text, stop.signal)
          } catch {
            failed = true
          }
          if (!stop.signal.aborted) setSearch({ text, of: text, busy: true, failed, groups: { ...groups } })
        }),
      )
      if (!stop.signal.aborted) setSearch({ text, of: text, busy: false, failed, groups })
    }
    const timer = setTimeout(() => void ask(), pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, sources])
  return text.length < least ? nothing : search
}

async function find(source: Source, text: string, signal: AbortSignal): Promise<Found[]> {
  const query = { [source.query ?? 'search']: text, per_page: rowsPerList }
  return foundIn(source, await client.call(searchedList(source.call), { query, signal }))
}
