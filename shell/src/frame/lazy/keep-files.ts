import { currentLocale } from '@portal/i18n/locale'
import type { PageRegistry } from '../../platform/registry.ts'

/** Tells the service worker which builds are current, and which language its offline page has. */
export async function keepFiles({ shell, modules }: PageRegistry): Promise<void> {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  const bases = modules.flatMap(({ name, base, previous }) =>
    previous ? [base, `/modules/${name}/${previous.build}/`] : [base],
  )
  await workers.register('/sw.js', { updateViaCache: 'none' })
  const { active } = await workers.ready
  active?.postMessage({ shell, bases, locale: currentLocale(), files: filesHere() })
}

/** The files of this page with their hashes, for the service worker to cache before the browser drops them. */
function filesHere(): { url: string; integrity: string }[] {
  const scripts = [...document.scripts].map(({ src, integrity }) => ({ url: src, integrity }))
  // The federation runtime takes its scripts out of the page once they ran; what was preloaded for them stays.
  const links = [...document.querySelectorAll<HTMLLinkElement>('link:is([rel=stylesheet], [rel=preload])')]
  return [...scripts, ...links.map(({ href, integrity }) => ({ url: href, integrity }))].filter(
    ({ url, integrity }) => url && integrity,
  )
}
