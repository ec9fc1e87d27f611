import { asProblem, type Problem } from '@portal/client/problem'
import { type Picture, pictureLimit } from '@portal/contracts/record-pictures'
import type { PictureCalls } from '@portal/contracts/records'
import { useHost } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'
import { shrinkPhoto } from '../shrink-photo.ts'

/** The kinds that are taken; the server looks at the content. */
export const kinds = /^image\/(jpeg|png|webp)$/

/** What was chosen and how far it is: `share` is null while it is made smaller, and 1 once it is there. */
export type Sending = {
  file: File
  share: number | null
  /** It was not sent: why, by the server or the line. */
  problem: Problem | null
  /** It cannot be sent at all. */
  fault: 'kind' | 'size' | null
}

type Options = {
  calls: Pick<PictureCalls, 'sendPicture'>
  value: Picture | null
  onChange: (picture: Picture | null) => void
}

/**
 * Sends a picture as soon as it is chosen. Until it is there the form holds the number 0, which it does not send. What was
 * chosen stays when the line breaks, and goes again when it is back.
 */
export function useSending({ calls, value, onChange }: Options) {
  const { client } = useHost()
  const [sending, setSending] = useState<Sending | null>(null)
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const stop = useRef<AbortController>(null)
  /** Whatever is under way is no longer wanted. */
  const begin = () => {
    stop.current?.abort()
    const begun = new AbortController()
    stop.current = begun
    return begun.signal
  }
  const put = (id: number) => latest.current.onChange({ alt: latest.current.value?.alt ?? '', id })

  async function send(file: File) {
    const signal = begin()
    const tell = (share: number | null, rest: Partial<Sending> = {}) =>
      signal.aborted || setSending({ file, share, problem: null, fault: null, ...rest })
    tell(0)
    try {
      // Only the answer says that it is there.
      const onUploadProgress = (share: number) => void tell(Math.min(share, 0.99))
      const { picture } = await client.call(calls.sendPicture, { body: { file }, signal, onUploadProgress })
      if (signal.aborted) return
      tell(1)
      put(picture.id)
    } catch (thrown) {
      tell(0, { problem: asProblem(thrown) })
    }
  }

  async function choose(chosen: File) {
    const signal = begin()
    const start = { file: chosen, share: null, problem: null, fault: null }
    const isPicture = kinds.test(chosen.type)
    setSending({ ...start, fault: isPicture ? null : 'kind' })
    put(0)
    if (!isPicture) return
    const file = await shrinkPhoto(chosen, pictureLimit, kinds)
    if (signal.aborted) return
    if (file.size > pictureLimit) return setSending({ ...start, fault: 'size' })
    await send(file)
  }

  function remove() {
    stop.current?.abort()
    setSending(null)
    onChange(null)
  }

  const waits = sending?.problem?.kind === 'offline' ? sending.file : null
  const again = useRef(send)
  again.current = send
  useEffect(() => {
    if (!waits) return
    const retry = () => void again.current(waits)
    window.addEventListener('online', retry, { once: true })
    return () => window.removeEventListener('online', retry)
  }, [waits])

  // A form that was left while a picture was on its way holds a number that means none.
  const isLeft = value?.id === 0 && !sending
  useEffect(() => {
    if (isLeft) latest.current.onChange(null)
  }, [isLeft])
  useEffect(() => () => stop.current?.abort(), [])

  return { sending, choose, remove, retry: () => sending && void send(sending.file) }
}
