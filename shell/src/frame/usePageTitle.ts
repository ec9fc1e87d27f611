import { useEffect, useRef, useState } from 'react'

/**
 * The page's own heading names the tab and the last crumb, so that no page has to say it twice. After a step to
 * another page the heading gets the focus, once it says something: readers then begin where the new page begins. Whoever has opened a
 * menu meanwhile keeps it: a menu closes when it loses the focus.
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
      // The heading of an isolated module is in its frame, which says it.
      const heading = page.querySelector<HTMLElement>('h1, iframe[data-title]')
      const text = heading?.dataset.title ?? heading?.textContent?.trim() ?? ''
      setTitle(text)
      document.title = text ? `${text} · ${product}` : product
      // While a page loads, its heading is empty, and another one replaces it.
      if (!heading || !text || focused) return
      focused = true
      const { activeElement } = document
      // The focus stays where it is if it is already inside the page.
      if (page.contains(activeElement) && activeElement !== page) return
      if (activeElement?.closest('[role=menu]')) return
      if (heading.tagName === 'H1') heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(page, {
      ...{ childList: true, subtree: true, characterData: true },
      attributeFilter: ['data-title'],
    })
    return () => observer.disconnect()
  }, [pathname, product])
  return title
}
