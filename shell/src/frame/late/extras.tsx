import { currentLocale } from '@portal/i18n/locale'
import { useLingui } from '@portal/sdk'
import { Toaster } from '@portal/ui/Toaster'
import { useEffect } from 'react'
import { registry } from '../../platform/place.ts'
import { sayKept } from '../kept-messages.ts'
import { keepFiles } from './keep-files.ts'
import { CodesNeeded, Offline } from './notices.tsx'

/** What has to be said above every page. */
export function Notices({ pathname }: { pathname: string }) {
  return (
    <>
      <Offline />
      <CodesNeeded pathname={pathname} />
    </>
  )
}

/** What lies above the page. */
export function Floats() {
  useEffect(sayKept, [])
  useLingui()
  const locale = currentLocale()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page without a line follows the language
  useEffect(() => void keepFiles(registry).catch(() => {}), [locale])
  return <Toaster />
}
