import type { Rest } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import type { Endpoint } from '@portal/contracts/endpoint'
import { useHost } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'

/** A file on its way to the server, where it stops in review. */
export type Upload = {
  /** Share sent so far, 0 to 1; null when nothing travels. */
  sent: number | null
  problem: Problem | null
  /** `headings` are those that the person named, as JSON. */
  start: (file: File, headings: string) => void
  /** Takes it back: nothing is made of half a file. */
  stop: () => void
  forget: () => void
}

/** Sends a file to an import's call; `onStarted` gets the id of what was made of it. */
export function useUpload(endpoint: Endpoint, field: string, onStarted: (id: number) => void): Upload {
  const { client } = useHost()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (file: File, headings: string) => {
    if (running.current) return
    const aborting = new AbortController()
    const { signal } = aborting
    running.current = aborting
    setProblem(null)
    setSent(0)
    try {
      const args = {
        query: { review: 1 },
        body: { [field]: file, headings },
        signal,
        onUploadProgress: setSent,
      }
      // Which field the body has is the sheet's to say; the types of one endpoint cannot follow.
      const answer = await client.call(endpoint, ...([args] as unknown as Rest<Endpoint>))
      onStarted((answer as { import: { id: number } }).import.id)
    } catch (thrown) {
      if (!signal.aborted) setProblem(asProblem(thrown))
    } finally {
      running.current = null
      setSent(null)
    }
  }
  return {
    sent,
    problem,
    start: (file, headings) => void start(file, headings),
    stop: () => running.current?.abort(),
    forget: () => setProblem(null),
  }
}
