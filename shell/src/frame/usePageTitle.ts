import { useEffect, useRef, useState } from 'react'

/**
 * The page's own heading names the tab and the last crumb, so that no page has to say it twice. After a step to
 * another page the heading gets the focus, once it is there: readers then begin where the new page begins.
 */
export function usePageTitle(pathname: string, product: string): string {
  const [title, setTitle] = useState('')
  const first = useRef(true)
  useEffect(() => {
    const page = document.getElementById('page')
    if (!page) return
    let focused = first.current || !pathname
    first.current = false
    const read = () => {
      const heading = page.querySelector('h1')
      const text = heading?.textContent?.trim() ?? ''
      setTitle(text)
      document.title = text ? `${text} · ${product}` : product
      if (!heading || focused) return
      focused = true
      // The focus stays where it is if it is already inside the page.
      if (page.contains(document.activeElement) && document.activeElement !== page) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(page, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [pathname, product])
  return title
}
