/**
 * Changes the language of a page that was rendered at build time: fetches the page in the other language and replaces this
 * one, keeping what was typed.
 */
export function liveLanguage(onChange: () => void = () => {}): void {
  let wanted = ''
  document.addEventListener('click', async (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.lang a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const { lang } = link
    wanted = lang
    // biome-ignore lint/suspicious/noDocumentCookie: the gateway reads it; the newer API lacks Firefox
    document.cookie = `portal_locale=${lang}; Path=/; Max-Age=31536000; SameSite=Lax`
    const answer = await fetch(location.pathname, { headers: { Accept: 'text/html' } }).catch(() => null)
    if (!answer?.ok) return
    const other = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // The other language was chosen before this page came.
    if (wanted !== lang) return
    const root = document.getElementById('root')
    const drawn = other.getElementById('root')
    if (!root || !drawn) return
    const typed = [...root.querySelectorAll('input')].map(({ id, value }) => ({ id, value }))
    root.replaceChildren(...drawn.childNodes)
    for (const { id, value } of typed) {
      const field = document.getElementById(id)
      if (field instanceof HTMLInputElement) field.value = value
    }
    document.documentElement.lang = lang
    document.title = other.title
    root.querySelector<HTMLElement>(`.lang a[lang="${lang}"]`)?.focus()
    onChange()
  })
}
