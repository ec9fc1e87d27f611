import type { DraftContent } from '@portal/contracts/drafts'
import { useHost } from '@portal/sdk'
import { useEffect, useState } from 'react'
import { contentOf, draftCalls, type LongForm, putBack } from './draft-of.ts'

/** A pause in typing after which it is kept, and after which it is tried again without a connection. */
const pauseMs = 800
const againMs = 10_000

/** What the person is told: that something was put back, or that she discarded it. */
type DraftNotice = { at: string } | { discarded: DraftContent } | null

/**
 * Keeps what is typed in a long form and puts it back when the form is opened again. Drawn as long as the form. The draft of a
 * form that was sent or left is deleted when it is unmounted; a closed tab unmounts nothing, and a page that crashed keeps it.
 */
export function useDraft(long: LongForm) {
  const { client } = useHost()
  const [calls] = useState(() => draftCalls(client, long.form))
  const [unchanged] = useState(() => ({ ...long.fields.formState.defaultValues }))
  const [notice, setNotice] = useState<DraftNotice>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one draft for each opening of the form
  useEffect(() => {
    const { pathname } = window.location
    let wasRead = false
    let open = true
    let timer: ReturnType<typeof setTimeout> | undefined
    // No draft is kept before the earlier one was read. Otherwise it would be overwritten before anybody saw it.
    const read = async () => {
      const draft = await calls.read()
      // It may have been asked for twice on a slow line.
      if (!open || wasRead) return
      wasRead = true
      if (!draft) return
      putBack(long, draft)
      setNotice({ at: draft.saved_at })
    }
    const keep = async () => {
      timer = undefined
      try {
        if (!wasRead) await read()
        if (!open) return
        const content = contentOf(long)
        await (Object.keys(content.values).length > 0 ? calls.keep(content) : calls.drop())
      } catch {
        // The form goes on without it.
        if (open) keepIn(againMs)
      }
    }
    const keepIn = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(keep, ms)
    }
    const keepNow = () => {
      if (timer && document.visibilityState === 'hidden') {
        clearTimeout(timer)
        void keep()
      }
    }
    const stop = long.fields.subscribe({ formState: { values: true }, callback: () => keepIn(pauseMs) })
    document.addEventListener('visibilitychange', keepNow)
    read().catch(() => {})
    return () => {
      open = false
      stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', keepNow)
      // The shell asks before another page is opened.
      if (long.ended.current || window.location.pathname !== pathname) calls.drop().catch(() => {})
    }
  }, [])

  return {
    notice,
    discard() {
      setNotice({ discarded: contentOf(long) })
      long.fields.reset(unchanged)
    },
    undo(discarded: DraftContent) {
      putBack(long, discarded)
      setNotice({ at: new Date().toISOString() })
    },
  }
}
