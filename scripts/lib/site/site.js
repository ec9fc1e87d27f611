// Theme, search, and a menu that is closed on a phone.
const root = document.currentScript?.dataset.root ?? ''
const html = document.documentElement
/** @template {Element} Found @param {string} selector @returns {Found} */
const one = (selector) => {
  const found = document.querySelector(selector)
  if (!found) throw new Error(`${selector} is missing.`)
  return /** @type {any} */ (found)
}

/** @type {HTMLButtonElement} */
const themeButton = one('.theme')
const isDark = () =>
  (html.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
const nameTheme = () => (themeButton.textContent = isDark() ? 'Light' : 'Dark')
themeButton.onclick = () => {
  html.dataset.theme = isDark() ? 'light' : 'dark'
  localStorage.setItem('docs.theme', html.dataset.theme)
  nameTheme()
}
nameTheme()

if (matchMedia('(max-width: 900px)').matches) one('.menu').removeAttribute('open')

/** What can be found: title, section, address and words of each page. @type {{ title: string, section: string, path: string, text: string }[] | undefined} */
let index
/** A script and not a call, so that the site can be read from a folder without a server. */
function fetchIndex() {
  const script = document.createElement('script')
  script.src = `${root}search.js`
  script.onload = () => {
    index = Reflect.get(window, 'docsIndex')
    show()
  }
  document.head.append(script)
}

/** @type {HTMLInputElement} */
const field = one('[type=search]')
/** @type {HTMLElement} */
const found = one('.found')
/** @type {HTMLOListElement} */
const list = one('.found ol')
field.addEventListener('focus', fetchIndex, { once: true })
field.addEventListener('input', () => show())
one('form').addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  field.value = ''
  show()
})

/** How well a page answers: words in its title count more. @param {{ title: string, text: string }} page @param {string[]} words */
function score({ title, text }, words) {
  let sum = 0
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word)
    const times = text.split(word).length - 1
    if (!inTitle && !times) return 0
    sum += (inTitle ? 20 : 0) + Math.min(times, 10)
  }
  return sum
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  found.hidden = words.length === 0
  if (!index || !words.length) return
  const pages = index
    .map((page) => ({ page, worth: score(page, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, 20)
  one('.found [role=status]').textContent = pages.length
    ? `${pages.length} pages`
    : 'No page has all of these words.'
  list.replaceChildren(
    ...pages.map(({ page }) => {
      const link = document.createElement('a')
      link.href = root + page.path
      link.textContent = page.title
      const section = document.createElement('span')
      section.textContent = ` ${page.section}`
      const item = document.createElement('li')
      item.append(link, section)
      return item
    }),
  )
}
