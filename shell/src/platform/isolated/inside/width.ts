import { styledEvent } from '@portal/sdk/frames'

/**
 * A frame is narrower than the portal's window, by the menu or by what stands beside a card. Styles ask for the width of
 * the window, so in a frame they are asked with what is missing. The module looks as it does in the page.
 */
const asked = new WeakMap<CSSMediaRule, string>()
let portalWidth = 0

const missing = () => (portalWidth ? portalWidth - window.innerWidth : 0)

/** A media query of the portal's window, for this frame. */
function forFrame(query: string): string {
  const less = (px: string) => `${Number(px) - missing()}px`
  return query
    .replace(/((?:min|max)-width:\s*)([\d.]+)px/g, (_, name: string, px: string) => name + less(px))
    .replace(/(width\s*[<>]=?\s*)([\d.]+)px/g, (_, name: string, px: string) => name + less(px))
}

function adapt(rules: CSSRuleList) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const query = asked.get(rule) ?? rule.media.mediaText
      asked.set(rule, query)
      const wanted = forFrame(query)
      if (rule.media.mediaText !== wanted) rule.media.mediaText = wanted
    }
    if (rule instanceof CSSGroupingRule) adapt(rule.cssRules)
  }
}

const adaptAll = () => {
  // The sheets that the portal gives are adopted; a frame fetches only those that name fonts or images.
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) adapt(sheet.cssRules)
}

/** Tells how wide the portal's window is. */
export function standIn(width: number): void {
  portalWidth = width
  document.documentElement.style.setProperty('--beside', `${missing()}px`)
  adaptAll()
}

/** From now on styles and `matchMedia` are asked for the portal's window. */
export function watchWidth(): void {
  const { matchMedia } = window
  window.matchMedia = (query) => matchMedia.call(window, forFrame(query))
  window.addEventListener('resize', () => standIn(portalWidth))
  window.addEventListener(styledEvent, adaptAll)
  document.addEventListener('load', ({ target }) => target instanceof HTMLLinkElement && adaptAll(), true)
}
