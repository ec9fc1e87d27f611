import { useEffect, useState } from 'react'

/** A file that is fetched when it is first needed, or prefetched before. */
export type LazyFile<File> = {
  /** What it exports, once it has arrived. */
  readonly loaded: File | undefined
  /** Fetches it once; a failed fetch is forgotten, so that the next call asks again. */
  fetch(): Promise<File>
  /** Fetches it early. Nobody waits for it yet, so a failure is not reported. */
  prefetch(): void
}

/** Makes a lazy file of an `import()`, and of what must arrive together with it. */
export function lazyFile<File>(load: () => Promise<File>): LazyFile<File> {
  let fetching: Promise<File> | undefined
  let loaded: File | undefined
  const fetch = () => {
    fetching ??= load().then(
      (file) => {
        loaded = file
        return file
      },
      (fault) => {
        fetching = undefined
        throw fault
      },
    )
    return fetching
  }
  return {
    get loaded() {
      return loaded
    },
    fetch,
    prefetch: () => void fetch().catch(() => {}),
  }
}

const retryMs = 2000

type Options = {
  /** False as long as it need not be fetched. */
  wanted?: boolean
  /** With it a failed fetch is repeated once and then reported; without it, every two seconds until the file arrives. */
  onFailure?: () => void
}

/**
 * A lazy file in a component: undefined until it has arrived. There is no Suspense boundary, because React keeps a fallback
 * for at least 300 ms, however fast the file arrives.
 */
export function useLazy<File>(
  file: LazyFile<File>,
  { wanted = true, onFailure }: Options = {},
): File | undefined {
  // A page under development makes a new lazy file of what it has drawn: that stays until the new one has arrived.
  const [arrived, setArrived] = useState(() => file.loaded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one fetch for each opening, whoever is told of its failure
  useEffect(() => {
    if (!wanted) return
    let open = true
    let timer: ReturnType<typeof setTimeout>
    const attempt = (isRetry: boolean) =>
      void file.fetch().then(
        // It may have arrived between drawing and this effect, so this is set in any case.
        (loaded) => open && setArrived(() => loaded),
        () => {
          if (!open) return
          if (!onFailure) timer = setTimeout(attempt, retryMs, true)
          else if (isRetry) onFailure()
          else attempt(true)
        },
      )
    attempt(false)
    return () => {
      open = false
      clearTimeout(timer)
    }
  }, [file, wanted])
  return file.loaded ?? arrived
}

/**
 * The event by which the shell adds what every lazy component needs first, the styles of dialogs. It reaches modules that
 * were built separately.
 */
export const lazyEvent = 'portal:lazy'
