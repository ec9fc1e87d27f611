import type { NavigateOptions } from 'react-router-dom'
import { useSearchParams } from 'react-router-dom'

/** The address of an import. The collection whose records are imported (`of`) stays in it, whatever else changes. */
export function useImportAddress() {
  const [url, setUrl] = useSearchParams()
  const of = url.get('of')
  const withOf = (more: Record<string, string>) => ({ ...(of && { of }), ...more })
  return {
    url,
    href: (more: Record<string, string>) => `?${new URLSearchParams(withOf(more))}`,
    go: (more: Record<string, string>, options?: NavigateOptions) => setUrl(withOf(more), options),
  }
}
