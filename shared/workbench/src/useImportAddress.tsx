import { type NavigateOptions, useSearchParams } from 'react-router-dom'

/** The address of an import. The collection whose records are imported (`of`) stays in it, whatever else changes. */
export function useImportAddress() {
  const [url, setUrl] = useSearchParams()
  const of = url.get('of')
  const withOf = (query: Record<string, string>) => ({ ...(of && { of }), ...query })
  return {
    url,
    href: (query: Record<string, string>) => `?${new URLSearchParams(withOf(query))}`,
    go: (query: Record<string, string>, options?: NavigateOptions) => setUrl(withOf(query), options),
  }
}
