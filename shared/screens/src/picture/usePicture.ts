import { asProblem, type Problem } from '@portal/client/problem'
import { nameOf } from '@portal/client/query'
import type { PictureCalls } from '@portal/contracts/records'
import { useHost, useQuery } from '@portal/sdk'
import { useEffect, useState } from 'react'
import { inTurn } from './in-turn.ts'

type Asked = {
  calls: Pick<PictureCalls, 'picture'>
  /** The number of the picture; null for none. */
  id: number | null
  size: 'full' | 'small'
}

/**
 * The address of a picture in this page's memory: null until it is there. It comes by the call of a module, so also in a frame,
 * which has no cookie. A number always means the same picture, so it is fetched once. No copy stays on the disk of a computer
 * that several people use.
 */
export function usePicture({ calls, id, size }: Asked) {
  const { client } = useHost()
  const { data, error, refetch } = useQuery<Blob, Problem>({
    queryKey: [nameOf(calls.picture), id, size],
    queryFn: ({ signal }) =>
      inTurn(signal, async () => {
        const file = await client.file(calls.picture, {
          params: { picture: id ?? 0 },
          query: { size },
          signal,
        })
        if (!file.ready) throw asProblem(new Error('A picture is never still being written.'))
        return file.blob
      }),
    enabled: id !== null && id > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (times, problem) => times < 1 && problem.kind === 'offline',
    networkMode: 'always',
  })
  return { address: useAddress(data ?? null), problem: data ? null : error, retry: () => void refetch() }
}

/** An address for what is in memory, which is given back when it is no longer drawn. */
export function useAddress(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return setAddress(null)
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
