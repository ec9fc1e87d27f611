import { i18n } from '@portal/sdk'
import type { Hot } from './hot.ts'

/** Adds the words of a language again when they have changed. */
export function takeWords(hot: Hot, locale: string, messages: Parameters<typeof i18n.load>[1]): void {
  if (hot.data?.before) i18n.load(locale, messages)
  hot.dispose((data) => {
    data.before = true
  })
  hot.accept()
}
