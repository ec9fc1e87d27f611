import { useEffect, useState } from 'react'

/** A lazy component: fetched when it is first wanted, and again if the fetch failed. */
export function useLate<Piece>(fetch: () => Promise<Piece>, wanted: boolean): Piece | null {
  const [piece, setPiece] = useState<Piece | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fetch` is the same for ever; only the wish decides
  useEffect(() => {
    if (!wanted || piece) return
    let open = true
    let timer: ReturnType<typeof setTimeout>
    const attempt = () =>
      void fetch().then(
        (late) => open && setPiece(() => late),
        () => {
          if (open) timer = setTimeout(attempt, 2000)
        },
      )
    attempt()
    return () => {
      open = false
      clearTimeout(timer)
    }
  }, [wanted])
  return piece
}
